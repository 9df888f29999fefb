{{/* What superpeers and peers have in common. */}}

{{- define "starling.labels" -}}
app.kubernetes.io/name: starling
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* Where the superpeers listen, all of them, in the same order everywhere. */}}
{{- define "starling.seeds" -}}
{{- $root := . -}}
{{- range $index := until (int .Values.superpeers.replicas) -}}
{{- if $index }},{{ end -}}
{{ $root.Release.Name }}-superpeer-{{ $index }}.{{ $root.Release.Name }}-superpeers.{{ $root.Release.Namespace }}.svc:7400
{{- end -}}
{{- end }}

{{- define "starling.probe" -}}
httpGet:
  path: {{ .path }}
  port: rest
  scheme: {{ if .root.Values.insecure }}HTTP{{ else }}HTTPS{{ end }}
{{- end }}

{{- define "starling.spec" -}}
{{- $root := .root -}}
{{- $values := .values -}}
# a service called "starling" would make variables that look like options
enableServiceLinks: false
automountServiceAccountToken: false
# a node that is asked to end leaves in order, within 20 s
terminationGracePeriodSeconds: 60
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "starling.labels" (dict "root" $root "role" $.role) | nindent 8 }}
  {{- end }}
containers:
  - name: starling
    image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args:
      - node
      {{- if $root.Values.sharedClaim }}
      - --allow
      - /shared
      {{- end }}
      {{- range $root.Values.allowUrls }}
      - --allow-url
      - {{ . | quote }}
      {{- end }}
    {{- if $root.Values.objectStoreSecret }}
    envFrom:
      - secretRef:
          name: {{ $root.Values.objectStoreSecret }}
    {{- end }}
    env:
      - name: POD_NAME
        valueFrom:
          fieldRef:
            fieldPath: metadata.name
      - name: NODE_NAME
        valueFrom:
          fieldRef:
            fieldPath: spec.nodeName
      {{- if and (eq .role "peer") $root.Values.peers.topologyLabel }}
      - name: TOPOLOGY
        valueFrom:
          fieldRef:
            fieldPath: metadata.labels['{{ $root.Values.peers.topologyLabel }}']
      {{- end }}
      - name: STARLING_ROLE
        value: {{ .role }}
      - name: STARLING_SEEDS
        value: {{ include "starling.seeds" $root | quote }}
      - name: STARLING_LISTEN
        value: 0.0.0.0
      - name: STARLING_ADVERTISE
        value: $(POD_NAME).{{ $root.Release.Name }}-{{ .role }}s.{{ $root.Release.Namespace }}.svc
      - name: STARLING_PORT
        value: "7400"
      - name: STARLING_REST_PORT
        value: "7500"
      {{- if eq .role "peer" }}
      - name: STARLING_ZONE
        value: {{ if $root.Values.peers.topologyLabel }}$(TOPOLOGY)/{{ end }}$(NODE_NAME)
      {{- end }}
      - name: STARLING_DATA
        value: /data/node
      - name: STARLING_KEYS
        value: /etc/starling/keys
      - name: STARLING_LOG
        value: json
      {{- if $root.Values.insecure }}
      - name: STARLING_INSECURE
        value: "true"
      {{- end }}
    ports:
      - name: messages
        containerPort: 7400
      - name: rest
        containerPort: 7500
    # nobody listens before the node is a member, and a log may have to be read first
    startupProbe:
      {{- include "starling.probe" (dict "root" $root "path" "/health/live") | nindent 6 }}
      periodSeconds: 5
      failureThreshold: 120
    # the process alone: a partition ends nobody
    livenessProbe:
      {{- include "starling.probe" (dict "root" $root "path" "/health/live") | nindent 6 }}
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      {{- include "starling.probe" (dict "root" $root "path" "/health/ready") | nindent 6 }}
      periodSeconds: 5
      timeoutSeconds: 3
      failureThreshold: 2
    lifecycle:
      preStop:
        # until nobody sends requests here any more
        sleep:
          seconds: 5
    resources:
      {{- toYaml $values.resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop:
          - ALL
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
      - name: keys
        mountPath: /etc/starling/keys
        readOnly: true
      {{- if $root.Values.sharedClaim }}
      - name: shared
        mountPath: /shared
      {{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  - name: keys
    secret:
      secretName: {{ .keys }}
      defaultMode: 288 # octal 0440
  {{- if $root.Values.sharedClaim }}
  - name: shared
    persistentVolumeClaim:
      claimName: {{ $root.Values.sharedClaim }}
  {{- end }}
{{- end }}
