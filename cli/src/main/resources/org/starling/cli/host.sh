# What "starling cluster start|status|stop --hosts" does on each host, by ssh. Lines before it set what it needs: verb, data,
# and to start launcher, words, patience (seconds) and keys (names and texts of files in turn).
set -euo pipefail
umask 077

# The process id of the node, if it runs.
running() {
  local pid
  pid="$(cat node.pid 2>/dev/null)" || return 1
  [[ "$pid" =~ ^[0-9]+$ ]] || return 1
  grep -aq org.starling.cli.Main "/proc/$pid/cmdline" 2>/dev/null || return 1
  printf '%s\n' "$pid"
}

# Secrets tell clusters apart; nothing is changed where there is another one.
requireSameCluster() {
  local i
  if [[ ! -f keys/secret ]]; then return; fi
  for ((i = 0; i < ${#keys[@]}; i += 2)); do
    if [[ "${keys[i]}" == secret && "$(<keys/secret)" != "${keys[i + 1]}" ]]; then
      printf "another cluster's node is in %s; name the folder of its keys with --keys, or give this one another folder in the file of hosts\n" "$PWD" >&2
      exit 3
    fi
  done
}

# Writes those files whose names are like the words, between |.
writeKeys() {
  local i pattern patterns
  IFS='|' read -r -a patterns <<<"$1"
  mkdir -p keys
  for ((i = 0; i < ${#keys[@]}; i += 2)); do
    for pattern in "${patterns[@]}"; do
      # shellcheck disable=SC2053 # it is a pattern
      if [[ "${keys[i]}" == $pattern ]]; then
        printf '%s\n' "${keys[i + 1]}" >"keys/${keys[i]}.new"
        mv -f "keys/${keys[i]}.new" "keys/${keys[i]}" # a node that runs may be reading it
      fi
    done
  done
}

# Removes what an earlier start has brought and this one has not, like certificates of a time with TLS.
removeOtherKeys() {
  local file i authority=(keys/authority.key.*)
  if [[ -e "${authority[0]}" ]]; then return; fi # keys are issued from this folder
  for file in keys/*; do
    for ((i = 0; i < ${#keys[@]}; i += 2)); do
      if [[ "${file#keys/}" == "${keys[i]}" ]]; then continue 2; fi
    done
    if [[ -f "$file" ]]; then rm -f -- "$file"; fi
  done
}

start() {
  local pid i
  if [[ ! -x "$launcher" ]]; then
    printf 'there is no launcher %s; install Starling there, or name its place with --launcher\n' "$launcher" >&2
    exit 3
  fi
  mkdir -p -- "$data"
  cd -- "$data"
  requireSameCluster
  if pid="$(running)"; then
    writeKeys 'node.*|authority.*' # certificates may be renewed; the rest is as it began with
    printf 'runs %s\n' "$pid"
    return
  fi
  writeKeys '*'
  removeOtherKeys
  if [[ -f node.log ]]; then mv -f node.log node.log.1; fi
  nohup "$launcher" "${words[@]}" </dev/null >node.log 2>&1 &
  pid=$!
  printf '%s\n' "$pid" >node.pid
  for ((i = 0; i < 5 * patience; i++)); do
    if grep -q ' is node [0-9]' node.log; then
      printf 'runs %s\n' "$pid"
      return
    fi
    if ! kill -0 "$pid" 2>/dev/null; then
      rm -f node.pid
      grep -a '^starling: ' node.log >&2 || tail -n 1 node.log >&2
      exit 4
    fi
    sleep 0.2
  done
  printf 'it is no member after %d seconds; its log is %s/node.log\n' "$patience" "$PWD" >&2
  exit 4
}

stop() {
  local pid i
  cd -- "$data" 2>/dev/null || return 0
  if pid="$(running)"; then
    if [[ -d data ]]; then : >data/stopping; fi # all end, so nothing is handed over
    kill -TERM "$pid"
    for ((i = 0; i < 5 * patience; i++)); do
      running >/dev/null || break
      sleep 0.2
    done
    if running >/dev/null; then kill -KILL "$pid"; fi
    printf 'stopped %s\n' "$pid"
  fi
  rm -f node.pid
}

status() {
  local pid
  if cd -- "$data" 2>/dev/null && pid="$(running)"; then printf 'runs %s\n' "$pid"; fi
}

"$verb"
