const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const WHOLE = new Intl.NumberFormat('en-GB', {maximumFractionDigits: 0});
const FEW = new Intl.NumberFormat('en-GB', {maximumSignificantDigits: 3});

export const whole = n => n === null || n === undefined ? '' : typeof n === 'string' ? n : WHOLE.format(n);

export function bytes(n) {
  if (n === null || n === undefined) return '';
  let unit = 0;
  while (n >= 1024 && unit < UNITS.length - 1) { n /= 1024; unit++; }
  return `${unit === 0 ? WHOLE.format(n) : FEW.format(n)} ${UNITS[unit]}`;
}

export function seconds(s) {
  if (s === null || s === undefined) return '';
  if (s > 0 && s < 0.0995) return `${FEW.format(s * 1000)} ms`;
  if (s < 60) return `${FEW.format(s)} s`;
  const minutes = Math.floor(s / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(s % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time of the cluster, which is UTC on the whole page, logs included. */
export const moment = text => text ? text.replace('T', ' ').replace(/(\.\d+)?Z$/, '') : '';

/** A number by six digits, the whole of it where it is whole. */
export const figure = v => typeof v !== 'number' || Number.isInteger(v) ? whole(v)
  : Math.abs(v) >= 1e9 || Math.abs(v) < 1e-4 ? v.toExponential(3) : String(+v.toPrecision(6));

export const micros = n => n < 1000 ? `${FEW.format(n)} µs` : `${FEW.format(n / 1000)} ms`;

export const rate = n => n === null || n === undefined ? '' : `${n >= 1000 ? WHOLE.format(n) : FEW.format(n)}/s`;

export const count = (n, one, many = one + 's') => `${whole(n)} ${n === 1 ? one : many}`;

/** JSON in which whole numbers that a browser can't hold stay texts: ids have 64 bits. */
export function parse(text) {
  return JSON.parse(text, (key, value, context) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && context && /^-?\d+$/.test(context.source)
      ? context.source : value);
}
