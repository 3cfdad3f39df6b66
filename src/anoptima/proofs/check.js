// Checks a proof of anoptima: that no release of a table (or no choice of columns) costs less than a bound.
//
//     node check.js TABLE.csv PROOF.json [--release RELEASE.csv]
//
// Written from docs/proof-format.md, which states every rule and why it is sound, and from nothing else. It trusts
// the engine that runs it, the table, and itself. It believes nothing of the proof: row types, patterns, costs and
// groups are derived from the table, and what the proof adds are numbers that each rule takes as they come. It
// needs no package, sends nothing, and reads no file but those it is given. check.html holds this text, too, and
// runs it in a browser.
//
// Costs, worths and fractions are BigInt. Numbers of rows, columns, row types and values are Number: they stay below
// 2^53, and so do products of two of them. The one fraction that is a float is how much of the work is done.
//
// Exit codes: 0 verified, 1 rejected, 2 wrong usage, 3 malformed, 4 unknown version or rule, 5 beyond the limits.
"use strict";

const SCHEMA = "anoptima/proof/3";
const DIGEST = "anoptima/proof/2"; // what digests begin with, since that version
const LIMITS = {
  proofBytes: 2 ** 28, levels: 500, numberCharacters: 400,
  tableBytes: 2 ** 30, rows: 10_000_000, columns: 1000, patterns: 2n ** 32n, groupLooks: 2n ** 24n, rowsOfEntropy: 100_000, ownBoundLooks: 2n ** 26n,
  rowSets: 2n ** 34n, leastSets: 2n ** 80n, dividedRows: 1024, fewLooks: 2n ** 16n, ballLooks: 10_000_000n,
};
const VERDICTS = { verified: 0, rejected: 1, malformed: 3, "unknown version": 4, "beyond the limits": 5 };

class Refused extends Error {
  constructor(verdict, reason) {
    super(reason);
    this.verdict = verdict;
  }
}
const refuse = (verdict) => (reason) => { throw new Refused(verdict, reason); };
const rejected = refuse("rejected");
const malformed = refuse("malformed");
const unknown = refuse("unknown version");
const beyond = refuse("beyond the limits");

// ---------------------------------------------------------------------------------------------- whole numbers

const abs = (a) => (a < 0n ? -a : a);
const least = (a, b) => (a < b ? a : b);
const largest = (a, b) => (a > b ? a : b);
const floorDiv = (a, b) => (a - (((a % b) + b) % b)) / b; // b > 0
const ceilDiv = (a, b) => -floorDiv(-a, b);
const sum = (list) => list.reduce((total, one) => total + one, 0n);

function gcd(a, b) {
  [a, b] = [abs(a), abs(b)];
  while (b) [a, b] = [b, a % b];
  return a;
}
const lcm = (a, b) => (a / gcd(a, b)) * b;

const shortened = (words) => (words.length > 200 ? `${words.slice(0, 200)}...` : words);

// Fractions are pairs [numerator, denominator > 0].
const isLess = ([a, b], [c, d]) => a * d < c * b;
function reduced(a, b) {
  const common = gcd(a, b);
  return [a / common, b / common];
}
const written = ([a, b]) => (b === 1n ? `${a}` : `${a}/${b}`);

/** Compare lists of Numbers lexicographically; a list that is the beginning of another comes first. */
function compareLists(one, other) {
  for (let i = 0; i < one.length && i < other.length; i++) if (one[i] !== other[i]) return one[i] - other[i];
  return one.length - other.length;
}

// ---------------------------------------------------------------------------------------------------- SHA-256

/** SHA-256 (FIPS 180-4), fed piece by piece. */
class Sha256 {
  static constants = Sha256.roots(3, 64);

  constructor() {
    this.state = Sha256.roots(2, 8);
    this.block = new Uint8Array(64);
    this.words = new Int32Array(64);
    this.length = 0;
  }

  /** The first 32 bits of the fractional parts of the square (cube) roots of the first primes. */
  static roots(degree, count) {
    const found = [];
    for (let n = 2n; found.length < count; n++) {
      let prime = true;
      for (let f = 2n; f * f <= n; f++) if (n % f === 0n) prime = false;
      if (!prime) continue;
      const scaled = n << BigInt(32 * degree); // the root of n 2^(32 degree) is that of n, times 2^32
      let [low, high] = [0n, 1n << 40n];
      while (high - low > 1n) {
        const middle = (low + high) >> 1n;
        if (middle ** BigInt(degree) <= scaled) low = middle;
        else high = middle;
      }
      found.push(Number(BigInt.asIntN(32, low)));
    }
    return Int32Array.from(found);
  }

  update(bytes) {
    let at = this.length % 64;
    for (const byte of bytes) {
      this.block[at++] = byte;
      if (at === 64) {
        this.compress();
        at = 0;
      }
    }
    this.length += bytes.length;
    return this;
  }

  compress() {
    const w = this.words, turn = (x, n) => (x >>> n) | (x << (32 - n));
    for (let i = 0; i < 16; i++) {
      w[i] = (this.block[4 * i] << 24) | (this.block[4 * i + 1] << 16) | (this.block[4 * i + 2] << 8) | this.block[4 * i + 3];
    }
    for (let i = 16; i < 64; i++) {
      const early = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const late = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + early + w[i - 7] + late;
    }
    let [a, b, c, d, e, f, g, h] = this.state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + Sha256.constants[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { this.state[i] += word; });
  }

  hex() {
    const bits = BigInt(this.length) * 8n;
    const padding = new Uint8Array(1 + ((119 - (this.length % 64)) % 64));
    padding[0] = 128;
    this.update(padding).update(Array.from({ length: 8 }, (_, i) => Number((bits >> BigInt(56 - 8 * i)) & 255n)));
    return Array.from(this.state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

// ------------------------------------------------------------------------------------------------------- JSON

function decoded(bytes, what) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return malformed(`${what} is not UTF-8`);
  }
}

/** Read JSON: whole numbers as BigInt, objects as Maps whose names occur once. */
class Json {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.levels = 0;
  }

  static read(text) {
    const json = new Json(text);
    const value = json.value();
    json.space();
    if (json.at < text.length) json.fail("something follows the end");
    return value;
  }

  fail(reason) {
    const isObject = /^[ \t\n\r]*\{/.test(this.text);
    malformed(isObject ? `${reason}, at character ${this.at} of the proof` : "this is no proof file, which would begin with a brace");
  }

  space() {
    while (" \t\n\r".includes(this.text[this.at] ?? "end")) this.at++;
  }

  /** Pass over `mark` if it comes next. */
  comes(mark) {
    this.space();
    if (!this.text.startsWith(mark, this.at)) return false;
    this.at += mark.length;
    return true;
  }

  value() {
    if (this.comes("{")) return this.nested(() => this.object());
    if (this.comes("[")) return this.nested(() => this.list());
    if (this.comes('"')) return this.string();
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) if (this.comes(word)) return value;
    return this.number();
  }

  nested(read) {
    if (++this.levels > LIMITS.levels) beyond(`lists and objects are nested in more than ${LIMITS.levels} levels`);
    const value = read();
    this.levels--;
    return value;
  }

  object() {
    const found = new Map();
    if (this.comes("}")) return found;
    do {
      if (!this.comes('"')) this.fail("a field has no name");
      const name = this.string();
      if (found.has(name)) this.fail(`the field "${name}" is there twice`);
      if (!this.comes(":")) this.fail(`no colon follows the name "${name}"`);
      found.set(name, this.value());
    } while (this.comes(","));
    if (!this.comes("}")) this.fail("an object does not end");
    return found;
  }

  list() {
    const found = [];
    if (this.comes("]")) return found;
    do found.push(this.value()); while (this.comes(","));
    if (!this.comes("]")) this.fail("a list does not end");
    return found;
  }

  string() {
    let end = this.at;
    while (this.text[end] !== '"') {
      if (end >= this.text.length) this.fail("a text does not end");
      end += this.text[end] === "\\" ? 2 : 1;
    }
    try {
      const found = JSON.parse(this.text.slice(this.at - 1, end + 1));
      this.at = end + 1;
      return found;
    } catch {
      return this.fail("a text is not one of JSON");
    }
  }

  number() {
    const pattern = /[-+.0-9eE]*/y;
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text);
    if (found.length > LIMITS.numberCharacters) beyond(`a number has more than ${LIMITS.numberCharacters} characters`);
    if (!/^(0|-?[1-9][0-9]*)$/.test(found)) this.fail("a whole number (or a text, a list, an object) is expected");
    this.at = pattern.lastIndex;
    return BigInt(found);
  }
}

/** The values of an object that has exactly the given fields. */
function fields(value, names, where) {
  if (!(value instanceof Map)) malformed(`${where} is not an object`);
  for (const name of names) if (!value.has(name)) malformed(`${where} lacks the field "${name}"`);
  for (const name of value.keys()) if (!names.includes(name)) malformed(`${where} has an unknown field "${name}"`);
  return Object.fromEntries(value);
}

function text(value, where) {
  return typeof value === "string" ? value : malformed(`${where} is not a text`);
}

function list(value, where, length = null) {
  if (!Array.isArray(value)) malformed(`${where} is not a list`);
  if (length !== null && value.length !== length) malformed(`${where} has ${value.length} entries instead of ${length}`);
  return value;
}

function texts(value, where) {
  list(value, where).forEach((one) => text(one, `an entry of ${where}`));
  if (new Set(value).size < value.length) malformed(`${where} has an entry twice`);
  return value;
}

/** A whole number, at least `from` and at most `to`, where these are given. */
function whole(value, where, from = null, to = null) {
  if (typeof value !== "bigint") malformed(`${where} is not a whole number`);
  if (from !== null && value < from) malformed(`${where} is below ${from}`);
  if (to !== null && value > to) malformed(`${where} is above ${to}`);
  return value;
}

function wholes(value, where, length, from = null) {
  list(value, where, length).forEach((one) => whole(one, `an entry of ${where}`, from));
  return value;
}

/** A number of a column, row type, record or value: from 0 to `count` - 1. */
function numberBelow(count, value, where) {
  return Number(whole(value, where, 0n, BigInt(count) - 1n));
}

/** A strictly increasing list of such numbers. */
function set(count, value, where) {
  const found = list(value, where).map((one) => numberBelow(count, one, `an entry of ${where}`));
  for (let i = 1; i < found.length; i++) if (found[i] <= found[i - 1]) malformed(`${where} is not strictly increasing`);
  return found;
}

function fraction(value, where) {
  const [a, b] = list(value, where, 2).map((one) => whole(one, `an entry of ${where}`));
  if (b <= 0n || gcd(a, b) !== 1n) malformed(`${where} is not in lowest terms with a positive denominator`);
  return [a, b];
}

// ------------------------------------------------------------------------------------------------- the table

const [TAB, LF, CR, QUOTE] = [9, 10, 13, 34];
const SEPARATORS = [44, 59, TAB, 124]; // , ; TAB |

/** Rows of a CSV file, one at a time; the text of a cell is decoded when it is asked for. */
class Csv {
  constructor(bytes, name) {
    if (bytes.length > LIMITS.tableBytes) beyond(`${name} has more than ${LIMITS.tableBytes} bytes`);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      for (let at = 0; at < bytes.length; at += 2 ** 20) decoder.decode(bytes.subarray(at, at + 2 ** 20), { stream: true });
      decoder.decode();
    } catch {
      malformed(`${name} is not a CSV file in UTF-8; unpack it if it is packed, or else save it as one`);
    }
    [this.bytes, this.name, this.line] = [bytes, name, 0];
    this.at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.separator = this.findSeparator();
    [this.starts, this.ends] = [[], []];
    if (!this.next()) malformed(`${name} is empty`);
    if (this.starts.length > LIMITS.columns) beyond(`${name} has more than ${LIMITS.columns} columns`);
    this.header = this.starts.map((_, i) => this.cell(i));
  }

  /** The one separator that splits the header; a comma if several do, or none. */
  findSeparator() {
    const found = new Set();
    let [inside, begun] = [false, false];
    for (let at = this.at; at < this.bytes.length; at++) {
      const byte = this.bytes[at];
      if (byte === QUOTE) inside = !inside;
      else if (!inside && (byte === LF || byte === CR) && begun) break;
      else if (!inside && SEPARATORS.includes(byte)) found.add(byte);
      begun ||= byte !== LF && byte !== CR;
    }
    return found.size === 1 ? [...found][0] : SEPARATORS[0];
  }

  /** Go to the next row that is not entirely empty; false at the end. */
  next() {
    const { bytes } = this;
    while (bytes[this.at] === LF || bytes[this.at] === CR) this.at++;
    if (this.at >= bytes.length) return false;
    [this.starts.length, this.ends.length] = [0, 0];
    this.line++;
    for (;;) {
      this.field();
      const byte = bytes[this.at];
      if (byte !== this.separator) break;
      this.at++;
    }
    if (this.header && this.starts.length !== this.header.length) {
      malformed(`${this.where()} has ${this.starts.length} fields, the header ${this.header.length}`);
    }
    return true;
  }

  where() {
    return `${this.line === 1 ? "the header" : `row ${this.line - 1}`} of ${this.name}`;
  }

  field() {
    const { bytes, separator } = this;
    const ends = (byte) => byte === separator || byte === LF || byte === CR || byte === undefined;
    let at = this.at;
    this.starts.push(at);
    if (bytes[at] === QUOTE) {
      do {
        at = bytes.indexOf(QUOTE, at + 1) + 1;
        if (at === 0) malformed(`a quote in ${this.where()} does not end`);
      } while (bytes[at] === QUOTE);
    } else {
      while (!ends(bytes[at])) at++;
    }
    if (!ends(bytes[at])) malformed(`${this.where()} has a text after a quoted field`);
    this.ends.push(at);
    this.at = at;
  }

  cell(i) {
    const found = Csv.decoder.decode(this.bytes.subarray(this.starts[i], this.ends[i]));
    return found[0] === '"' ? found.slice(1, -1).replaceAll('""', '"') : found;
  }

  /** Where the columns of the given names are. */
  find(names) {
    return names.map((name) => {
      const at = this.header.indexOf(name);
      if (at < 0) rejected(`${this.name} has no column "${name}"; its columns are ${shortened(this.header.map((one) => JSON.stringify(one)).join(", "))}`);
      if (this.header.indexOf(name, at + 1) >= 0) malformed(`${this.name} has two columns "${name}"`);
      return at;
    });
  }
}
Csv.decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A column: its values in the order in which they first occur, and the number of the value of each row. */
class Column {
  constructor(name) {
    [this.name, this.values, this.numbers, this.codes] = [name, [], new Map(), new Int32Array(1024)];
  }

  set(row, value) {
    let code = this.numbers.get(value);
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.numbers.set(value, code);
    }
    if (row === this.codes.length) {
      const longer = new Int32Array(2 * row);
      longer.set(this.codes);
      this.codes = longer;
    }
    this.codes[row] = code;
  }
}

function readTable(bytes, quasi, sensitive, mayHoldStars) {
  const csv = new Csv(bytes, "the table");
  const columns = [...quasi, ...sensitive].map((name) => new Column(name));
  const places = csv.find(columns.map((column) => column.name));
  let rows = 0;
  for (; csv.next(); rows++) {
    if (rows === LIMITS.rows) beyond(`the table has more than ${LIMITS.rows} rows`);
    columns.forEach((column, i) => column.set(rows, csv.cell(places[i])));
  }
  if (rows === 0) malformed("the table has no rows");
  columns.slice(0, quasi.length).forEach((column) => {
    if (!mayHoldStars && column.numbers.has("*")) malformed(`the column "${column.name}" of the table has a cell *`);
  });
  for (const column of columns) column.codes = column.codes.subarray(0, rows);
  return { rows, quasi: columns.slice(0, quasi.length), sensitive: columns.slice(quasi.length) };
}

/** The digest of a table; of coordinates, if it `isOfPoints`, in lowest terms. */
function digestOf(table, isOfPoints) {
  const encoder = new TextEncoder();
  const counted = (value) => {
    const bytes = encoder.encode(value);
    return [...encoder.encode(`${bytes.length}:`), ...bytes, 44];
  };
  const columns = [...table.quasi, ...table.sensitive];
  const hash = new Sha256();
  for (const value of [DIGEST, table.rows, table.quasi.length, table.sensitive.length]) hash.update(counted(`${value}`));
  for (const column of columns) hash.update(counted(column.name));
  const cells = columns.map((column) => column.values.map((value) => counted(isOfPoints ? written(numberOf(value, column)) : value)));
  for (let row = 0; row < table.rows; row++) columns.forEach((column, i) => hash.update(cells[i][column.codes[row]]));
  return hash.hex();
}

/**
 * Distinct vectors of codes, sorted: how many (`count`), the vector of each row (`of`), how many rows each has (`size`),
 * and its codes column by column (`codes`).
 */
function vectors(columns, rows) {
  let [of, count] = [new Int32Array(rows), 1];
  for (const codes of columns) {
    let width = 1;
    for (const code of codes) if (code >= width) width = code + 1;
    const keys = Float64Array.from(of, (one, row) => one * width + codes[row]);
    const places = new Map();
    for (const key of Float64Array.from(new Set(keys)).sort()) places.set(key, places.size);
    of = Int32Array.from(keys, (key) => places.get(key));
    count = places.size;
  }
  const size = new Int32Array(count), found = columns.map(() => new Int32Array(count));
  for (let row = 0; row < rows; row++) {
    size[of[row]]++;
    columns.forEach((codes, j) => { found[j][of[row]] = codes[row]; });
  }
  return { count, of, size, sizes: Array.from(size, BigInt), codes: found };
}

// -------------------------------------------------------------------------------- distances between the values

/** The exact number that a text writes, as a fraction. */
function numberOf(value, column) {
  const found = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(value), ratio = /^(-?\d+)\/(\d+)$/.exec(value);
  if (value.length > LIMITS.numberCharacters || (found && found[3] && abs(BigInt(found[3].replace("+", ""))) > 400n)) {
    beyond(`the value "${value.slice(0, 40)}" of "${column.name}" is too long, or its exponent beyond 400`);
  }
  if (ratio && BigInt(ratio[2]) > 0n) return reduced(BigInt(ratio[1]), BigInt(ratio[2]));
  if (!found) rejected(`the value "${value}" of "${column.name}" is not a number`);
  const [, before, after = "", exponent = "0"] = found, shift = Number(exponent) - after.length;
  const digits = BigInt(before + after);
  return shift < 0 ? reduced(digits, 10n ** BigInt(-shift)) : [digits * 10n ** BigInt(shift), 1n];
}

/** Distances between values, along edges but in a matrix. */
class Space {
  /** The lengths of the edges, in parts of a unit, and how many rows have a value on one side, if each value has so many. */
  held(counts) {
    const [edges, unit] = this.edges();
    return [edges.map(([length, values]) => [length, BigInt(values.reduce((total, v) => total + counts[v], 0))]), unit];
  }
}

/** Places on a line: `at` for each value, `span` from the first to the last; a distance is a difference divided by the span. */
class Line extends Space {
  constructor(at, span) {
    super();
    [this.at, this.span] = [at, span || 1n];
    this.order = [...at.keys()].sort((v, w) => (at[v] < at[w] ? -1 : at[v] > at[w] ? 1 : v - w));
    this.steps = this.order.slice(1).map((v, i) => at[v] - at[this.order[i]]);
  }

  static numeric(column) {
    const numbers = column.values.map((value) => numberOf(value, column));
    const common = numbers.reduce((found, [, b]) => lcm(found, b), 1n);
    const at = numbers.map(([a, b]) => a * (common / b));
    return new Line(at, at.reduce(largest) - at.reduce(least));
  }

  static ordered(column, order) {
    const places = new Map(texts(order, "the order").map((value, i) => [value, BigInt(i)]));
    const at = column.values.map((value) => places.get(value) ?? rejected(`"${value}" is not in the order of "${column.name}"`));
    return new Line(at, BigInt(order.length - 1));
  }

  distance(v, w) { return [abs(this.at[v] - this.at[w]), this.span]; }

  /** A common denominator of all distances. */
  common() { return this.steps.reduce((found, step) => lcm(found, reduced(step, this.span)[1]), 1n); }

  /** The pairs of values among which is one with the largest |phi_v - phi_w| / d(v, w), whatever phi. */
  pairs() { return this.order.slice(1).map((w, i) => [this.order[i], w]); }

  /** The edges of the space as a tree: their lengths, in parts of a unit, and the values on one side. */
  edges() { return [this.steps.map((step, i) => [step, this.order.slice(0, i + 1)]), this.span]; }

  /** As in every space, without a list of values for each edge. */
  held(counts) {
    let below = 0n;
    return [this.steps.map((step, i) => [step, (below += BigInt(counts[this.order[i]]))]), this.span];
  }

  /** The least cost of moving the surplus of each value (they sum to 0) to where it lacks. */
  transport(surplus) {
    let carried = 0n, cost = 0n;
    this.steps.forEach((step, i) => {
      carried += surplus[this.order[i]];
      cost += abs(carried) * step;
    });
    return [cost, this.span];
  }
}

function allPairs(count) {
  return Array.from({ length: count }, (_, v) => Array.from({ length: v }, (_, w) => [v, w])).flat();
}

class Equal extends Space {
  constructor(column) {
    super();
    this.count = column.values.length;
  }
  distance(v, w) { return [v === w ? 0n : 1n, 1n]; }
  common() { return 2n; }
  pairs() { return allPairs(this.count); }
  edges() { return [Array.from({ length: this.count }, (_, v) => [1n, [v]]), 2n]; }
  transport(surplus) { return [sum(surplus.filter((one) => one > 0n)), 1n]; }
}

class Tree extends Space {
  constructor(column, tree) {
    super();
    this.leaves = new Map();
    this.nodes = 0;
    this.height = null;
    this.grow(tree, []);
    this.path = column.values.map((value) => this.leaves.get(value) ?? rejected(`"${value}" is no leaf of the tree of "${column.name}"`));
  }

  grow(node, path) {
    if (typeof node === "string") {
      if (this.leaves.has(node)) malformed(`the leaf "${node}" is in the tree twice`);
      this.height ??= path.length;
      if (path.length !== this.height) malformed("the leaves of the tree are not all at one depth");
      this.leaves.set(node, path);
      return;
    }
    const children = node instanceof Map ? [...node.values()] : list(node, "a node of the tree");
    if (children.length === 0) malformed("a node of the tree has no leaves");
    for (const child of children) this.grow(child, [...path, this.nodes++]);
  }

  distance(v, w) {
    const same = this.path[v].findIndex((node, i) => node !== this.path[w][i]);
    return [BigInt(same < 0 ? 0 : this.height - same), BigInt(this.height || 1)];
  }

  common() { return BigInt(2 * this.height || 1); }
  pairs() { return allPairs(this.path.length); }

  /** Each branch is half a step long, and the surplus below it has to pass it. */
  edges() {
    const below = new Map();
    this.path.forEach((path, v) => path.forEach((node) => below.set(node, [...(below.get(node) ?? []), v])));
    return [[...below.values()].map((values) => [1n, values]), BigInt(2 * this.height || 1)];
  }

  transport(surplus) {
    const [edges, unit] = this.edges();
    return [sum(edges.map(([, values]) => abs(sum(values.map((v) => surplus[v]))))), unit];
  }
}

class Matrix extends Space {
  constructor(column, data) {
    super();
    const names = texts(data.values, "the matrix's values"), unit = whole(data.denominator, "the matrix's denominator", 1n);
    const rows = list(data.matrix, "the matrix", names.length).map((row) => wholes(row, "a row of the matrix", names.length, 0n));
    rows.forEach((row, i) => row.forEach((entry, j) => {
      if (entry !== rows[j][i]) malformed("the matrix is not symmetric");
      if ((entry === 0n) !== (i === j)) malformed("the matrix is 0 elsewhere than on the diagonal, or not 0 there");
      if (entry > unit) malformed("the matrix has a distance above 1");
      rows[j].forEach((other, h) => {
        if (row[h] > entry + other) malformed("the matrix violates the triangle inequality");
      });
    }));
    const places = new Map(names.map((name, i) => [name, i]));
    const at = column.values.map((value) => places.get(value) ?? rejected(`"${value}" is not in the matrix of "${column.name}"`));
    [this.unit, this.entries] = [unit, at.map((i) => at.map((j) => rows[i][j]))];
  }

  distance(v, w) { return [this.entries[v][w], this.unit]; }
  edges() { return [[], this.unit]; }
  common() { return this.entries.flat().reduce((found, entry) => lcm(found, reduced(entry, this.unit)[1]), 1n); }
  pairs() { return allPairs(this.entries.length); }

  /** Cheapest paths from a surplus to a lack, one after another, through what has been moved already. */
  transport(surplus) {
    const left = [...surplus], count = left.length, moved = left.map(() => left.map(() => 0n));
    let cost = 0n;
    while (left.some((one) => one > 0n)) {
      const reach = left.map((one) => (one > 0n ? 0n : null)), from = left.map(() => -1);
      for (let changed = true; changed; ) {
        changed = false;
        for (let v = 0; v < count; v++) {
          for (let w = 0; w < count; w++) {
            if (reach[v] === null || v === w) continue;
            const length = reach[v] + (moved[w][v] > 0n ? -this.entries[w][v] : this.entries[v][w]);
            if (reach[w] === null || length < reach[w]) [reach[w], from[w], changed] = [length, v, true];
          }
        }
      }
      let end = -1;
      left.forEach((one, w) => { if (one < 0n && (end < 0 || reach[w] < reach[end])) end = w; });
      const path = [end];
      while (from[path[0]] >= 0) path.unshift(from[path[0]]);
      let amount = least(left[path[0]], -left[end]);
      path.slice(1).forEach((w, i) => { if (moved[w][path[i]] > 0n) amount = least(amount, moved[w][path[i]]); });
      path.slice(1).forEach((w, i) => {
        if (moved[w][path[i]] > 0n) moved[w][path[i]] -= amount;
        else moved[path[i]][w] += amount;
      });
      left[path[0]] -= amount;
      left[end] += amount;
      cost += amount * reach[end];
    }
    return [cost, this.unit];
  }
}

const SPACES = {
  equal: [[], (column) => new Equal(column)],
  numeric: [[], (column) => Line.numeric(column)],
  ordered: [["order"], (column, data) => Line.ordered(column, data.order)],
  hierarchical: [["tree"], (column, data) => new Tree(column, data.tree)],
  matrix: [["values", "denominator", "matrix"], (column, data) => new Matrix(column, data)],
};

/** What an object's field `kind` chooses among, and the object's other fields. */
function chosen(value, choices, where) {
  if (!(value instanceof Map) || !value.has("kind")) malformed(`${where} is not an object with a kind`);
  const kind = text(value.get("kind"), `the kind of ${where}`);
  if (!Object.hasOwn(choices, kind)) malformed(`${where} is of the unknown kind "${kind}"`);
  const [names, make] = choices[kind];
  return [make, fields(value, ["kind", ...names], where)];
}

// ---------------------------------------------------------------------------------------------- the principle

/** A group, as conditions look at it: `size` rows, and `count(condition)`, how many rows each value of its column has. */

class KAnonymity {
  constructor(table, data) { this.k = whole(data.k, "k", 1n); }
  leastSize() { return this.k; }
  holds(size) { return BigInt(size) >= this.k; }
  divides(size) { return size >= this.k; } // whether `size` of all rows may be a group beside the others
  words() { return `at least ${this.k} rows`; }
}

class Sensitive {
  constructor(table, data) {
    const name = text(data.column, "a condition's column");
    this.column = table.sensitive.find((column) => column.name === name) ?? malformed(`"${name}" is not a sensitive column of the proof`);
  }

  /** How many rows have each value. */
  counts() {
    const found = this.column.values.map(() => 0);
    for (const code of this.column.codes) found[code]++;
    return found;
  }
}

class Distinct extends Sensitive {
  constructor(table, data) {
    super(table, data);
    this.l = whole(data.l, "l", 1n);
  }
  leastSize() { return this.l; }
  divides() { return this.counts().reduce((total, count) => total + Math.min(count, 2), 0) >= 2 * Number(this.l); }
  holds(size, counts) { return BigInt(counts.filter((count) => count > 0).length) >= this.l; }
  words() { return `at least ${this.l} different values of "${this.column.name}"`; }
}

class Frequency extends Sensitive {
  constructor(table, data) {
    super(table, data);
    this.l = fraction(data.l, "l");
    if (isLess(this.l, [1n, 1n])) malformed("l is below 1");
    this.free = new Set(); // values whose share is not limited
  }
  leastSize() { return this.free.size ? 1n : this.need(1n); }
  largest(counts) { return BigInt(counts.reduce((most, one, v) => (this.free.has(v) ? most : Math.max(most, one)), 0)); }
  need(count) { return ceilDiv(this.l[0] * count, this.l[1]); } // the least size of a group with a value `count` times
  most(size) { return floorDiv(size * this.l[1], this.l[0]); } // how often a group of `size` rows can have a value
  divides(size, rows) { return this.largest(this.counts()) <= this.most(size) + this.most(rows - size); }
  holds(size, counts) { return this.largest(counts) * this.l[0] <= BigInt(size) * this.l[1]; }
  words() { return `no value of "${this.column.name}" in more than one in ${written(this.l)} rows`; }
}

/** None of some values in more than a share 1 / l. */
class Rare extends Frequency {
  constructor(table, { values, ...data }) {
    super(table, data);
    const numbers = texts(values, "the rare values").map((one) => BigInt(this.column.numbers.get(one) ?? -1));
    const rare = set(this.column.values.length, numbers, "the numbers of the rare values");
    if (!rare.length) malformed("there are no rare values");
    this.free = new Set(this.column.values.keys());
    for (const value of rare) this.free.delete(value);
    this.rare = values;
  }
  words() { return `none of the values ${this.rare.map((one) => `"${one}"`).join(", ")} of "${this.column.name}" in more than one in ${written(this.l)} rows`; }
}

/** Entropy at least log l: priced as ceil(l) different values, which it implies; if there are just l, they are equally frequent. */
class Entropy extends Distinct {
  constructor(table, data) {
    const asked = fraction(data.l, "l");
    if (isLess(asked, [1n, 1n])) malformed("l is below 1");
    super(table, { ...data, l: ceilDiv(...asked) });
    if (table.rows > LIMITS.rowsOfEntropy) beyond(`${table.rows} rows are too many for powers of them`);
    this.asked = asked;
    this.alike = asked[1] === 1n;
  }
  holds(size, counts) {
    const [a, b] = this.asked, n = BigInt(size), power = (count) => BigInt(count) ** BigInt(count);
    return n ** n * b ** n >= counts.reduce((product, count) => product * power(count), a ** n);
  }
  words() { return `an entropy of "${this.column.name}" of at least log ${written(this.asked)}`; }
}

const isOutweighed = ([a, b], l, counts) => {
  const falling = counts.map(BigInt).sort((one, other) => Number(other - one));
  return falling[0] * b < a * sum(falling.slice(Number(least(l, BigInt(falling.length + 1))) - 1));
};
const recursiveWords = (name, c, l) => `a most frequent value of "${name}" with fewer rows than ${written(c)} times those of the values from number ${l} on`;

/** Recursive (c, l)-diversity for l > 2. */
class Recursive extends Distinct {
  constructor(table, { c, l, ...data }) {
    super(table, { ...data, l: l + floorDiv(c[1], c[0]) });
    Object.assign(this, { c, first: l });
  }
  /** How many rows a group needs among the first `level` of their values, if it has a value `cap` times. */
  need(level, cap) { return (this.first - 1n) * level + floorDiv(this.c[1] * cap + this.c[0], this.c[0]); }
  holds(size, counts) { return isOutweighed(this.c, this.first, counts); }
  words() { return recursiveWords(this.column.name, this.c, this.first); }
}

/** Recursive (c, 2)-diversity: shares below c / (c + 1). */
class Outweighed extends Frequency {
  constructor(table, { c, ...data }) {
    super(table, { ...data, l: reduced(c[0] + c[1], c[0]) });
    this.c = c;
  }
  need(count) { return floorDiv(this.l[0] * count, this.l[1]) + 1n; }
  most(size) { return ceilDiv(size * this.l[1], this.l[0]) - 1n; }
  holds(size, counts) { return isOutweighed(this.c, 2n, counts); }
  words() { return recursiveWords(this.column.name, this.c, 2n); }
}

function recursive(table, data) {
  const c = fraction(data.c, "c"), l = whole(data.l, "l", 2n);
  if (c[0] <= 0n) malformed("c is not above 0");
  return new (l === 2n ? Outweighed : Recursive)(table, { ...data, c, l });
}

class Closeness extends Sensitive {
  constructor(table, data) {
    super(table, data);
    this.t = fraction(data.t, "t");
    if (this.t[0] < 0n || isLess([1n, 1n], this.t)) malformed("t is not from 0 to 1");
    const [make, space] = chosen(data.space, SPACES, "a space");
    this.space = make(this.column, space);
    this.rows = table.rows;
    this.shares = this.counts(); // of the whole table
    this.limit = this.findLimit();
    this.isSlots = this.space instanceof Equal && isLess(this.limit, [1n, 1n]);
    this.spaceName = space.kind;
    this.sizes = new Map();
    const [edges, unit] = this.space.held(this.shares), lengths = new Map(); // of the edges with a number of rows on one side, together
    for (const [length, held] of edges) lengths.set(held, (lengths.get(held) ?? 0n) + length);
    [this.cuts, this.unit] = [[...lengths], unit];
  }

  /** The largest distance up to t that a group of this table can have. */
  findLimit() {
    const parts = this.space.common() * BigInt(this.rows);
    let found = [0n, 1n];
    for (let size = 1n; size <= BigInt(this.rows); size++) {
      const limit = [floorDiv(this.t[0] * parts * size, this.t[1]), parts * size];
      if (isLess(found, limit)) found = limit;
    }
    return reduced(...found);
  }

  leastSize() { return this.leastFrom(1n); }

  /** Across each edge, `size` rows are as far from the whole table as that share of it is from a whole number. */
  divides(size, rows) {
    const rests = this.cuts.map(([count, length]) => [length, (size * count) % rows]);
    return sum(rests.map(([length, rest]) => length * least(rest, rows - rest))) * this.t[1] <= this.t[0] * this.unit * rows * size;
  }

  /** The rows of the whole table with one of some values. */
  total(values) { return BigInt(values.reduce((total, v) => total + this.shares[v], 0)); }

  /** The least size from `size` on that the table's shares allow; that of the table is one. */
  leastFrom(size) {
    const from = size;
    if (!this.sizes.has(from)) {
      while (!this.divides(size, BigInt(this.rows))) size++;
      this.sizes.set(from, size);
    }
    return this.sizes.get(from);
  }

  holds(size, counts) {
    const surplus = counts.map((count, v) => BigInt(count * this.rows - this.shares[v] * size));
    const [cost, unit] = this.space.transport(surplus);
    return !isLess(this.t, [cost, unit * BigInt(size) * BigInt(this.rows)]);
  }

  words() {
    return `values of "${this.column.name}" distributed at most ${written(this.t)} away from the whole table's (${this.spaceName} distance)`;
  }
}

const CONDITIONS = {
  "k-anonymity": [["k"], (table, data) => new KAnonymity(table, data)],
  "distinct-l-diversity": [["l", "column"], (table, data) => new Distinct(table, data)],
  "frequency-l-diversity": [["l", "column"], (table, data) => new Frequency(table, data)],
  "rare-values": [["l", "column", "values"], (table, data) => new Rare(table, data)],
  "entropy-l-diversity": [["l", "column"], (table, data) => new Entropy(table, data)],
  "recursive-diversity": [["c", "l", "column"], recursive],
  "t-closeness": [["t", "column", "space"], (table, data) => new Closeness(table, data)],
};

class Principle {
  constructor(table, data) {
    this.conditions = list(data, "the principle").map((one) => {
      const [make, values] = chosen(one, CONDITIONS, "a condition");
      return make(table, values);
    });
    if (this.conditions.length === 0) malformed("the principle has no condition");
    this.rows = table.rows;
    this.leastSize = this.conditions.map((one) => one.leastSize()).reduce(largest);
    this.others = this.conditions.filter((one) => !(one instanceof KAnonymity));
    this.columns = table.sensitive.filter((column) => this.others.some((one) => one.column === column));
  }

  /** A least size as a Number: where it is above the number of rows, no group has it, and any such number will do. */
  asNumber(size) { return Number(least(size, BigInt(this.rows) + 1n)); }

  /** What no group is below, in a solution of several groups; all rows where there is none of several. */
  sizeOfSeveral() {
    const { rows } = this, first = this.asNumber(this.leastSize);
    if (2 * first > rows) return rows;
    if (rows > LIMITS.dividedRows) return first;
    for (let size = first; 2 * size <= rows; size++) if (this.conditions.every((one) => one.divides(BigInt(size), BigInt(rows)))) return size;
    return rows;
  }

  /** The first condition that a group of these rows does not satisfy, or undefined. */
  violated(rows) {
    return this.conditions.find((one) => {
      const counts = one.column ? one.column.values.map(() => 0) : [];
      if (one.column) for (const row of rows) counts[one.column.codes[row]]++;
      return !one.holds(rows.length, counts);
    });
  }

  isViolatedByAll() { return this.violated(Array.from({ length: this.rows }, (_, row) => row)); }

  words() { return this.conditions.map((one) => one.words()).join(" and "); }
}

// ------------------------------------------------------------------------------------- the patterns of a table

/** A table at hand: quasi-identifying columns at whole weights, under a principle. `scale` cost units are one star. */
class Ground {
  constructor(columns, weights, principle, rows, progress) {
    const scale = weights.reduce((found, [, b]) => lcm(found, b), 1n);
    Object.assign(this, { columns, principle, rows, progress, scale });
    this.weights = weights.map(([a, b]) => (a * scale) / b);
  }

  get codes() { return this.columns.map((column) => column.codes); }

  /** Row types; or, with the sensitive columns that the principle names, records. */
  get types() { return (this.foundTypes ??= vectors(this.codes, this.rows)); }
  get records() {
    const named = this.principle.columns.map((column) => column.codes);
    return (this.foundRecords ??= vectors([...this.codes, ...named], this.rows));
  }

  /** For each record the number of its value in a condition's column. */
  valuesOf(condition) { return this.records.codes[this.columns.length + this.principle.columns.indexOf(condition.column)]; }

  weightOf(columns) { return sum(columns.map((j) => this.weights[j])); }
  leftOut(kept) { return sum(this.weights.filter((_, j) => !kept.includes(j))); }

  limitPatterns(kind) {
    if (BigInt(kind.count) << BigInt(this.columns.length) > LIMITS.patterns) {
      beyond(`${kind.count} records with ${this.columns.length} columns have too many patterns to look at all`);
    }
  }

  /** The pattern that a proof names: closed, of at least `size` rows; its members in their order. */
  pattern(kind, kept, example, size) {
    kept = set(this.columns.length, kept, "kept");
    example = numberBelow(kind.count, example, "an example");
    const members = [];
    for (let e = 0; e < kind.count; e++) if (kept.every((j) => kind.codes[j][e] === kind.codes[j][example])) members.push(e);
    for (let j = 0; j < this.columns.length; j++) {
      if (!kept.includes(j) && agree(kind.codes[j], members)) malformed(`the pattern [${kept}] of ${example} is not closed`);
    }
    if (rowsOf(kind, members) < size) malformed(`the pattern [${kept}] of ${example} has fewer than ${size} rows`);
    return { key: keyOf(kept, members), kept, example, members, leftOut: this.leftOut(kept) };
  }

  /**
   * Visit every closed pattern of at least `size` rows of which those `together` that are worth most are worth more than D
   * times what they leave out, and that leaves out less than `reach` if that is given. Members come by falling worth.
   */
  walk(kind, { worth, denominator, size, reach = null, together = 1 }, visit) {
    const order = Array.from({ length: kind.count }, (_, e) => e);
    order.sort((d, e) => (worth[d] > worth[e] ? -1 : worth[d] < worth[e] ? 1 : d - e));
    const differ = (members, out) => out.every((j) => !agree(kind.codes[j], members));
    const top = (members) => {
      let [sum, left] = [0n, together];
      for (let at = 0; left > 0; at++) {
        sum += worth[members[at]] * BigInt(Math.min(left, kind.size[members[at]]));
        left -= kind.size[members[at]];
      }
      return sum;
    };
    const pay = denominator * BigInt(together);
    let [done, seen] = [0, 0];
    const decide = (j, members, rows, kept, out, leftOut, share) => {
      const isOutside = rows < size || (reach !== null && leftOut >= reach) || top(members) <= pay * leftOut;
      if (isOutside || j === this.columns.length) {
        if (!isOutside) visit({ kept, members, rows, leftOut });
        done += share;
        if ((++seen & 1023) === 0) this.progress(done);
        return;
      }
      const parts = new Map();
      for (const e of members) {
        const part = parts.get(kind.codes[j][e]);
        if (part) part.push(e);
        else parts.set(kind.codes[j][e], [e]);
      }
      for (const part of parts.values()) {
        const now = (share * part.length) / members.length / (parts.size > 1 ? 2 : 1), partRows = rowsOf(kind, part);
        if (partRows < size || !differ(part, out)) done += now;
        else decide(j + 1, part, partRows, [...kept, j], out, leftOut, now);
      }
      if (parts.size > 1) decide(j + 1, members, rows, kept, [...out, j], leftOut + this.weights[j], share / 2);
    };
    decide(0, order, this.rows, [], [], 0n, 1);
  }
}

const agree = (codes, members) => members.every((e) => codes[e] === codes[members[0]]);

function rowsOf(kind, members) {
  let rows = 0;
  for (const e of members) rows += kind.size[e];
  return rows;
}

/** A pattern's name: what it keeps, and its first member. */
function keyOf(kept, members) {
  let first = members[0];
  for (const e of members) if (e < first) first = e;
  return `${kept.join()} ${first}`;
}

const positive = (value, where) => whole(value, where, 1n);

/** Refuse a value above the bound that its numbers prove; `bound` is D times a cost. */
function prove(value, bound, denominator) {
  const proved = ceilDiv(bound, denominator);
  if (value > proved) rejected(`the numbers prove ${proved} and the proof says ${value} (in the cost unit)`);
}

// ------------------------------------------------------------------------------------------------------- cuts

/** The cuts that a proof states on a table's records, and their terms by pattern: [cut, term], .... */
class Cuts {
  constructor(ground, data, size) {
    [this.ground, this.records, this.size] = [ground, ground.records, size];
    [this.terms, this.patterns] = [new Map(), new Map()];
    this.of = Array.from({ length: this.records.count }, () => []); // the cuts of each record
    this.cuts = list(data, "cuts").map((one, number) => this.cut(one, number));
  }

  cut(data, number) {
    const { ground, records } = this;
    data = fields(data, ["records", "divisor", "terms"], "a cut");
    const inside = set(records.count, data.records, "records"), divisor = whole(data.divisor, "divisor", 2n, BigInt(ground.rows));
    const rows = BigInt(rowsOf(records, inside)), rest = rows % divisor;
    if (rest === 0n) rejected(`cut ${number} rounds nothing: ${rows} rows, divided by ${divisor}`);
    for (const r of inside) this.of[r].push(number);
    const isInside = new Set(inside);
    let last = null;
    for (const term of list(data.terms, "terms")) {
      const { kept, example, together, records: named } = fields(term, ["kept", "example", "together", "records"], "a term");
      if (typeof together !== "boolean") malformed("together is not a truth value");
      const pattern = ground.pattern(records, kept, example, this.size), members = new Set(pattern.members);
      if (last && (compareLists(last.kept, pattern.kept) || last.example - pattern.example) >= 0) malformed(`the terms of cut ${number} are not sorted`);
      last = pattern;
      const chosen = set(records.count, named, "records of a term");
      for (const r of chosen) {
        if (!members.has(r) || isInside.has(r) !== together) malformed(`a term of cut ${number} names record ${r}, which does not belong there`);
      }
      const terms = this.terms.get(pattern.key) ?? new Map();
      if (terms.has(number)) malformed(`cut ${number} has two terms for a pattern`);
      this.terms.set(pattern.key, terms.set(number, { together, records: new Set(chosen), rows: rowsOf(records, chosen) }));
      this.patterns.set(pattern.key, pattern);
    }
    return { isInside, divisor, rest, round: (divisor - rest) * (rows / divisor) };
  }

  /** (d - r) times the rounding of a. */
  rounded({ divisor, rest }, a) {
    return (divisor - rest) * (a / divisor) + largest(0n, (a % divisor) - rest);
  }

  /** What the prices take from a bound, whatever the patterns. */
  taken(prices) { return sum(this.cuts.map((cut, i) => prices[i] * cut.round)); }

  /** What the cuts charge a pattern whose groups have at least `size` rows; those with a term for it change `gains`. */
  charge(key, members, gains, prices, size) {
    const inside = new Map(), terms = this.terms.get(key) ?? new Map(), all = rowsOf(this.records, members);
    for (const r of members) for (const i of this.of[r]) inside.set(i, (inside.get(i) ?? 0) + this.records.size[r]);
    let total = 0n;
    for (const [i, covered] of inside) {
      if (!terms.has(i)) total += prices[i] * this.rounded(this.cuts[i], BigInt(Math.max(0, size - (all - covered))));
    }
    for (const [i, term] of terms) {
      const cut = this.cuts[i], rows = BigInt(term.rows);
      if (term.together) {
        total += prices[i] * (this.rounded(cut, rows) - rows);
        members.forEach((r, at) => { if (term.records.has(r)) gains[at] -= prices[i]; });
      } else {
        total += prices[i] * this.rounded(cut, largest(0n, BigInt(size) - rows));
        members.forEach((r, at) => { if (!cut.isInside.has(r) && !term.records.has(r)) gains[at] += prices[i]; });
      }
    }
    return total;
  }
}

const byGain = ([one], [other]) => (one > other ? -1 : one < other ? 1 : 0);

/** Map ends of a tree, each an equal part of the progress. */
function inParts(ground, ends, compute) {
  const { progress } = ground;
  const found = ends.map((end, i) => {
    ground.progress = (share) => progress((i + share) / ends.length);
    return compute(end);
  });
  ground.progress = progress;
  return found;
}

// ------------------------------------------------------------------------------ groups under several conditions

/** The members of a class of records, by falling gain: their numbers of rows, gains, and values of a condition's column. */
class Class {
  constructor(ground, members, gains, valueOf, free) {
    const { size, sizes } = ground.records;
    this.free = free ?? new Set(); // values that are not capped
    this.records = members.map((r, at) => ({ rows: sizes[r], size: size[r], gain: gains[at], value: valueOf ? valueOf[r] : 0 }));
    this.records.sort((one, other) => byGain([one.gain], [other.gain]));
    this.counts = new Map(); // rows of each value
    for (const { value, rows } of this.records) this.counts.set(value, (this.counts.get(value) ?? 0n) + rows);
  }

  capped(most) { return sum([...this.counts].map(([value, rows]) => (this.free.has(value) ? rows : least(rows, most)))); }
}

/** The most that a group of at least `size` rows and `l` values gains; null if there is none. */
function bestDistinct(found, size, l) {
  if (BigInt(found.counts.size) < l || found.capped(BigInt(Number.MAX_SAFE_INTEGER)) < size) return null;
  let [total, rows] = [0n, 0n];
  const values = new Set(), taken = new Map(); // the rows taken of records that do not gain
  for (const { gain, rows: all, value } of found.records) {
    if (gain <= 0n) break;
    [total, rows] = [total + gain * all, rows + all];
    values.add(value);
  }
  const others = found.records.filter(({ gain }) => gain <= 0n);
  for (const record of others) {
    if (BigInt(values.size) >= l) break;
    if (values.has(record.value)) continue;
    values.add(record.value);
    taken.set(record, 1n);
    [total, rows] = [total + record.gain, rows + 1n];
  }
  for (const record of others) {
    if (rows >= size) break;
    const more = least(size - rows, record.rows - (taken.get(record) ?? 0n));
    [total, rows] = [total + record.gain * more, rows + more];
  }
  return total;
}

/** The most that a group of just l values gains, each equally often: no more often than gains, or than the size needs. */
function bestAlike(found, size, l) {
  const gaining = new Map();
  for (const { gain, rows, value } of found.records) if (gain > 0n) gaining.set(value, (gaining.get(value) ?? 0n) + rows);
  const start = largest(1n, ceilDiv(size, l)), end = [...gaining.values()].reduce(largest, start);
  let best = null;
  for (let times = start; times <= end; times++) {
    const used = new Map(), gains = new Map();
    for (const { gain, rows, value } of found.records) {
      const taken = least(rows, times - (used.get(value) ?? 0n));
      used.set(value, (used.get(value) ?? 0n) + taken);
      gains.set(value, (gains.get(value) ?? 0n) + gain * taken);
    }
    const able = [...gains].filter(([value]) => used.get(value) === times).map(([, total]) => total).sort((a, b) => (a < b ? 1 : -1));
    if (BigInt(able.length) < l) continue;
    const total = sum(able.slice(0, Number(l)));
    best = best === null ? total : largest(best, total);
  }
  return best;
}

/** The most that `size` rows or more gain with at most `most` of a value that is capped: what gains and fits, then the best that fits. */
function bestCapped(found, size, most) {
  let [total, rows] = [0n, 0n];
  const taken = new Map();
  for (const { gain, rows: all, value } of found.records) {
    const wanted = gain > 0n ? all : least(all, size - rows);
    if (gain <= 0n && rows >= size) break;
    const now = found.free.has(value) ? wanted : least(wanted, most - (taken.get(value) ?? 0n));
    taken.set(value, (taken.get(value) ?? 0n) + now);
    [total, rows] = [total + gain * now, rows + now];
  }
  return total;
}

/** The largest whole number from `low` on for which `holds`, which holds up to there and not beyond; low - 1 if none. */
function last(low, high, holds) {
  low -= 1n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (holds(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/** The largest count of a value whose share is limited that a group can have. */
function mostOfValue(found, condition) {
  const highest = [...found.counts].reduce((most, [value, rows]) => (found.free.has(value) ? most : largest(most, rows)), 0n);
  return last(1n, highest, (most) => found.capped(most) >= condition.need(most));
}

/** The most that a group gains in which shares are limited. */
function bestShares(found, size, condition) {
  const most = mostOfValue(found, condition), b = condition.l[1];
  const start = last(0n, most, (count) => found.capped(count) < size) + 1n;
  const value = (count) => bestCapped(found, largest(size, condition.need(count)), count);
  return bestOfCaps(value, start, most, b);
}

/** The largest value(start .. most), which is concave along each residue modulo `period`; null if there is none. */
function bestOfCaps(value, start, most, period) {
  let best = null;
  for (let residue = start; residue < start + period && residue <= most; residue++) {
    const rises = (step) => value(residue + step * period) > value(residue + (step - 1n) * period);
    const found = value(residue + last(1n, (most - residue) / period, rises) * period);
    best = best === null ? found : largest(best, found);
  }
  return best;
}

/** The largest count of a value that a group can have whose most frequent value is outweighed; 0 if there is no group. */
function mostOutweighed(found, condition) {
  const falling = [...found.counts.values()].sort((a, b) => (a < b ? 1 : -1)), top = falling[Number(condition.first) - 1] ?? 0n;
  const suffices = (cap) => found.capped(least(top, cap)) >= condition.need(least(top, cap), cap);
  return last(1n, falling[0] ?? 0n, suffices);
}

/** The most that a group gains whose most frequent value is outweighed: over all levels, and caps that a group can have. */
function bestOutweighed(found, size, condition) {
  const gaining = new Map();
  for (const { gain, rows, value } of found.records) if (gain > 0n) gaining.set(value, (gaining.get(value) ?? 0n) + rows);
  const top = least(mostOutweighed(found, condition), [...gaining.values()].reduce(largest, size));
  const start = last(0n, top, (cap) => found.capped(cap) < size) + 1n;
  let best = null;
  for (let level = 1n; level <= top; level++) {
    const most = last(1n, top, (cap) => found.capped(level) >= condition.need(level, cap));
    const value = bestOfCaps((cap) => bestAtLevel(found, size, condition, level, cap), largest(start, level), most, condition.c[0]);
    if (value !== null) best = best === null ? value : largest(best, value);
  }
  return best;
}

/** The most that a group gains with no value above `cap`: what gains and fits; then what is missing up to the level; then up to `size`. */
function bestAtLevel(found, size, condition, level, cap) {
  const used = new Map(), has = (value) => used.get(value) ?? 0n;
  let [total, rows, low] = [0n, 0n, 0n];
  const take = ({ gain, value }, number) => {
    low += least(number, largest(0n, level - has(value)));
    used.set(value, has(value) + number);
    [total, rows] = [total + gain * number, rows + number];
  };
  for (const record of found.records) if (record.gain > 0n) take(record, least(record.rows, cap - has(record.value)));
  const others = found.records.filter(({ gain }) => gain <= 0n), taken = new Map();
  for (const record of others) {
    const number = least(record.rows, largest(0n, least(level - has(record.value), condition.need(level, cap) - low)));
    taken.set(record, number);
    take(record, number);
  }
  for (const record of others) take(record, largest(0n, least(size - rows, least(record.rows - taken.get(record), cap - has(record.value)))));
  return total;
}

/** What groups of a pattern gain at most: the least that a condition but k-anonymity says; or, if it `isWhole`, by whole rows. */
class GroupBounds {
  constructor(ground, potentials, isWhole) {
    const { conditions, others, columns } = ground.principle, close = others.filter((one) => one instanceof Closeness);
    this.ground = ground;
    this.size = ground.principle.asNumber(ground.principle.leastSize);
    if (typeof isWhole !== "boolean") malformed("whole is not a truth value");
    if (isWhole && (close.length !== 1 || columns.length !== 1 || close[0].space instanceof Matrix)) {
      rejected("whole rows are priced under one closeness along edges, with diversity of its column or without");
    }
    this.wholeRows = isWhole ? new WholeRows(others) : null;
    this.raised = new Map(); // by part and pattern: what each value raises a gain by
    let last = null;
    for (const one of list(potentials, "potentials")) {
      const { part, kept, example, values } = fields(one, ["part", "kept", "example", "values"], "a potential");
      const number = numberBelow(conditions.length, part, "part"), condition = conditions[number];
      if (isWhole || !(condition instanceof Closeness) || condition.isSlots) malformed(`condition ${number} takes no potentials`);
      const pattern = ground.pattern(ground.records, kept, example, this.size);
      const place = [number, pattern.kept, pattern.example];
      if (last && (last[0] - place[0] || compareLists(last[1], place[1]) || last[2] - place[2]) >= 0) malformed("the potentials are not sorted");
      last = place;
      const key = `${number} ${pattern.key}`;
      if (this.raised.has(key)) malformed(`two potentials for a pattern and condition ${number}`);
      this.raised.set(key, this.raises(condition, wholes(values, "values", condition.shares.length)));
    }
  }

  raises(condition, phi) {
    let steepest = [0n, 1n];
    for (const [v, w] of condition.space.pairs()) {
      const [a, b] = condition.space.distance(v, w), rise = abs(phi[v] - phi[w]);
      if (a === 0n && rise > 0n) rejected("a potential differs between values at distance 0");
      if (a > 0n && isLess(steepest, [rise * b, a])) steepest = [rise * b, a];
    }
    const [t, unit] = condition.limit;
    const mean = ceilDiv(sum(phi.map((one, v) => one * BigInt(condition.shares[v]))), BigInt(condition.rows));
    const slack = ceilDiv(steepest[0] * t, steepest[1] * unit) + mean;
    return phi.map((one) => slack - one);
  }

  /** The members of a pattern as each condition but k-anonymity sees them. */
  parts(members, gains, key) {
    const { ground } = this, { conditions, others } = ground.principle;
    return (others.length ? others : [null]).map((condition) => {
      const valueOf = condition && ground.valuesOf(condition);
      const raised = condition && this.raised.get(`${conditions.indexOf(condition)} ${key}`);
      const now = raised ? gains.map((gain, at) => gain + raised[valueOf[members[at]]]) : gains;
      return [condition, new Class(ground, members, now, valueOf, condition?.free)];
    });
  }

  /** A size that no satisfying group of the members is below; null if there is none. */
  leastSize(members) {
    const { others } = this.ground.principle, parts = others.length ? this.parts(members, members.map(() => 0n), "") : [];
    let size = BigInt(this.size);
    for (const [condition, found] of parts.length > 1 ? [...parts, ...parts] : parts) {
      size = leastGroup(condition, found, size);
      if (size === null) return null;
    }
    return size;
  }

  /**
   * The most that a group of a pattern gains, of `low` rows or more, or up to `high` where rows are whole; perhaps `nothing` where that
   * is more; null if there is none.
   */
  best(key, members, gains, low, high, nothing) {
    const parts = this.parts(members, gains, key);
    if (this.wholeRows) return this.wholeRows.best(parts[0][1], low, high, nothing);
    const found = parts.map(([condition, one]) => bestOf(condition, one, low));
    return found.includes(null) ? null : found.reduce(least);
  }
}

/** The least size from `size` on of a group that satisfies a condition; null if there is no group. */
function leastGroup(condition, found, size) {
  if (condition instanceof Distinct) size = largest(size, condition.l);
  if (condition instanceof Frequency && !condition.free.size) size = largest(size, condition.need(1n));
  if (condition instanceof Distinct && BigInt(found.counts.size) < condition.l) return null;
  if (condition instanceof Closeness && condition.isSlots) return new Slots(condition, found).leastSize(size);
  if (condition instanceof Closeness) size = condition.leastFrom(size);
  let rows = found.capped(BigInt(Number.MAX_SAFE_INTEGER));
  if (condition instanceof Frequency) rows = found.capped(mostOfValue(found, condition));
  if (condition instanceof Recursive) rows = found.capped(mostOutweighed(found, condition));
  return rows < size ? null : size;
}

function bestOf(condition, found, size) {
  if (condition === null) return bestDistinct(found, size, 1n);
  if (condition instanceof Recursive) return bestOutweighed(found, size, condition);
  if (condition instanceof Entropy && condition.alike) {
    const ways = [bestDistinct(found, size, condition.l + 1n), bestAlike(found, size, condition.l)].filter((way) => way !== null);
    return ways.length ? ways.reduce(largest) : null;
  }
  if (condition instanceof Distinct) return bestDistinct(found, size, condition.l);
  if (condition instanceof Frequency) return bestShares(found, size, condition);
  if (condition instanceof Closeness && condition.isSlots) return new Slots(condition, found).best(size);
  return bestDistinct(found, size, 1n);
}

// ------------------------------------------------------------------------------- closeness at equal distance: slots

/** Groups within T of the table's distribution, of members of a class: at size N value v has N m_v / n slots, and all share T N. */
class Slots {
  constructor(condition, found) {
    Object.assign(this, { n: BigInt(condition.rows), limit: condition.limit, found });
    this.share = condition.shares.map(BigInt);
    this.counts = [...found.counts];
    this.rows = found.capped(this.n);
  }

  /** Slots of `size` rows in parts: n times T's denominator is a row. */
  capacity(size) {
    const [a, b] = this.limit, { n } = this;
    const own = sum(this.counts.map(([v, rows]) => least(rows * n, size * this.share[v]))) * b;
    return least(own + a * n * size, this.rows * n * b);
  }

  /** The largest size that split rows can fill. */
  largestSize() { return last(1n, this.rows, (size) => this.capacity(size) >= size * this.n * this.limit[1]); }

  /** The least size from `size` on for which whole rows fit; null if there is none. */
  leastSize(size) {
    const { n } = this, most = this.largestSize();
    for (size = largest(size, 1n); size <= most; size++) {
      const free = sum(this.counts.map(([v, rows]) => least(rows, (size * this.share[v]) / n)));
      const further = this.counts.filter(([v, rows]) => rows > (size * this.share[v]) / n);
      const costs = further.map(([v]) => n - ((size * this.share[v]) % n)).sort((c, d) => (c < d ? -1 : 1));
      const lacking = largest(0n, size - free), partly = least(lacking, BigInt(costs.length));
      const cost = sum(costs.slice(0, Number(partly))) + (lacking - partly) * n;
      if (cost <= this.room(size)) return size;
    }
    return null;
  }

  room(size) { return floorDiv(this.limit[0] * size * this.n, this.limit[1]); }

  /** B(N): what the best filling with split rows gains, in parts of `unit`; rounded down it would not be concave. */
  splitFilling(size) {
    const [a, b] = this.limit, { n } = this, own = this.share.map((share) => size * share * b);
    let [common, left, total] = [a * n * size, size * n * b, 0n];
    for (const { gain, rows, value } of this.found.records) {
      const wanted = least(rows * n * b, left), free = least(wanted, own[value]), shared = least(wanted - free, common);
      own[value] -= free;
      common -= shared;
      left -= free + shared;
      total += gain * (free + shared);
    }
    return total;
  }

  get unit() { return this.n * this.limit[1]; }

  /** The most that a group of at least `from` rows gains; null if there is none. */
  best(from) {
    const to = this.largestSize(), start = this.leastSize(from);
    if (start === null || start > to) return null;
    const top = start + last(1n, to - start, (step) => this.splitFilling(start + step) > this.splitFilling(start + step - 1n));
    let best = null;
    const look = (size) => {
      if (best !== null && floorDiv(this.splitFilling(size), this.unit) <= best) return false;
      const found = this.bestOfSize(size);
      if (found !== null && (best === null || found > best)) best = found;
      return true;
    };
    for (let size = top; size >= start && look(size); size--);
    for (let size = top + 1n; size <= to && look(size); size++);
    return best;
  }

  /** A bound on groups of `size` whole rows: the least over prices of a part of the common slots; null if there is no group. */
  bestOfSize(size) {
    const { n } = this, left = new Map(), items = [], room = this.room(size);
    for (const { gain, rows, value } of this.found.records) {
      const own = size * this.share[value], from = left.get(value) ?? 0n, to = from + rows;
      left.set(value, to);
      for (const [start, end, cost] of [[0n, own / n, 0n], [own / n, own / n + 1n, n - (own % n)], [own / n + 1n, to, n]]) {
        const count = least(end, to) - largest(start, from);
        if (count > 0n) items.push({ gain, cost, count });
      }
    }
    if (sum(items.map(({ count }) => count)) < size) return null;
    const choose = (a, b) => { // the best rows at the price a / b: their gain, and the room that they leave
      const worth = ({ gain, cost }) => gain * b - a * cost;
      let [lacking, total, kept] = [size, 0n, room];
      for (const item of [...items].sort((one, other) => byGain([worth(one)], [worth(other)]))) {
        const taken = least(lacking, item.count);
        lacking -= taken;
        total += item.gain * taken;
        kept -= item.cost * taken;
      }
      return { total, kept };
    };
    const gains = items.map(({ gain }) => gain);
    let free = choose(0n, 1n), dear = choose(gains.reduce(largest) - gains.reduce(least) + 1n, 1n);
    if (free.kept >= 0n) return free.total;
    if (dear.kept < 0n) return null;
    for (;;) {
      const [a, b] = [free.total - dear.total, dear.kept - free.kept]; // the two lines cross at the price a / b
      const now = choose(a, b), height = free.total * b + a * free.kept;
      if (now.total * b + a * now.kept <= height) return floorDiv(height, b);
      if (now.kept < 0n) free = now;
      else dear = now;
    }
  }
}

// --------------------------------------------------------------------------------- closeness along edges: whole rows

/**
 * Groups of whole rows under one closeness along edges and diversities of its column. What a set of values contributes is a table: by rows
 * and different values, the contributions [paid, gain] of which none pays less and gains as much. Edges are gone through from the innermost
 * to the outermost, each on the tables of what is below it, put together.
 */
class WholeRows {
  constructor(conditions) {
    this.close = conditions.find((one) => one instanceof Closeness);
    this.l = conditions.reduce((most, one) => (one instanceof Distinct ? largest(most, one.l) : most), 0n);
    this.shares = conditions.filter((one) => one instanceof Frequency);
    const [edges, unit] = this.close.space.edges();
    this.edges = [...edges].sort(([, one], [, other]) => one.length - other.length);
    this.unit = unit;
  }

  /** The most that a group of `low` to `high` members gains, or `most` where that is more; null if there is neither. */
  best(found, low, high, most) {
    const all = this.sums(found.records), last = Math.min(all.length - 1, Number(high));
    const sizes = Array.from({ length: Math.max(0, last - Number(low) + 1) }, (_, i) => Number(low) + i);
    for (const size of sizes.sort((one, other) => byGain([all[one]], [all[other]]))) {
      if (most !== null && all[size] <= most) break;
      most = this.ofSize(found.records, size, most);
    }
    return most;
  }

  /** What the best rows gain, by how many they are. */
  sums(records) {
    const found = [0n];
    for (const { rows, gain } of records) for (let i = 0n; i < rows; i++) found.push(found[found.length - 1] + gain);
    return found;
  }

  /** The most that a group of `size` members gains, or `known` where that is more. */
  ofSize(records, size, known) {
    const { close } = this, n = BigInt(close.rows), N = BigInt(size);
    const room = floorDiv(close.limit[0] * this.unit * n * N, close.limit[1]);
    let lots = close.shares.map((_, v) => {
      const cap = Number(this.shares.reduce((most, one) => (one.free.has(v) ? most : least(most, one.most(N))), N));
      const gains = this.sums(records.filter(({ value }) => value === v)).slice(0, cap + 1);
      return { values: [v], table: gains.map((gain, rows) => [rows, this.l > 0n && rows > 0 ? 1 : 0, [[0n, gain]]]) };
    });
    const join = (some) => some.reduce((one, other) => this.join(one, other, records, size, room, known), { values: [], table: [[0, 0, [[0n, 0n]]]] });
    for (const [length, values] of this.edges) {
      const inside = lots.filter((lot) => lot.values.every((v) => values.includes(v)));
      const joined = join(inside), held = close.total(values);
      joined.table = joined.table.map(([rows, different, ways]) => {
        const paid = length * abs(n * BigInt(rows) - N * held);
        return [rows, different, ways.map(([before, gain]) => [before + paid, gain]).filter(([now]) => now <= room)];
      }).filter(([, , ways]) => ways.length);
      lots = [...lots.filter((lot) => !inside.includes(lot)), joined];
    }
    for (const [rows, different, ways] of join(lots).table) {
      if (rows !== size || BigInt(different) < this.l) continue;
      for (const [paid, gain] of ways) if (paid <= room && (known === null || gain > known)) known = gain;
    }
    return known;
  }

  join(one, other, records, size, room, known) {
    const values = [...one.values, ...other.values], made = new Map();
    const rest = this.sums(records.filter(({ value }) => !values.includes(value)));
    let count = 0;
    for (const [rows, different, ways] of one.table) {
      for (const [further, more, others] of other.table) {
        const lacking = size - rows - further;
        if (lacking < 0 || lacking >= rest.length) continue;
        const missing = known === null ? null : known - rest[lacking]; // what both together must gain more than
        if (missing !== null && ways[ways.length - 1][1] + others[others.length - 1][1] <= missing) continue; // the last gain most
        const now = Math.min(Number(this.l), different + more), key = `${rows + further} ${now}`;
        if (!made.has(key)) made.set(key, [rows + further, now, []]);
        for (const [p, g] of ways) {
          for (const [q, h] of others) {
            if (p + q > room || (missing !== null && g + h <= missing)) continue;
            made.get(key)[2].push([p + q, g + h]);
            if (++count > MOST_PARTS) beyond(`a group of ${size} rows has more than ${MOST_PARTS} parts`);
          }
        }
      }
    }
    const table = [...made.values()].filter(([, , ways]) => ways.length).map(([rows, different, ways]) => {
      let highest = null;
      const kept = ways.sort(([p, g], [q, h]) => (p < q ? -1 : p > q ? 1 : byGain([g], [h]))).filter(([, gain]) => {
        if (highest !== null && gain <= highest) return false;
        highest = gain;
        return true;
      });
      return [rows, different, kept];
    });
    return { values, table };
  }
}

// ------------------------------------------------------------------------------------------------------- cases

const MOST_PARTS = 2_000_000; // of groups of one size, along edges

/** What the forks on the way to an end limit: sizes of patterns, and rows of pattern and value, in the order of naming. */
class Limits {
  constructor() { [this.patterns, this.pairs] = [new Map(), new Map()]; }

  decide(rows, span, { pattern, value, most }, isHigh) {
    const found = new Limits();
    found.patterns = new Map(this.patterns);
    found.pairs = new Map(this.pairs);
    const sizes = found.patterns.get(pattern.key) ?? { pattern, low: span.first, high: span.last, must: false };
    const narrow = ({ low, high }) => (isHigh ? { low: largest(low, most + 1n), high } : { low, high: least(high, most) });
    found.patterns.set(pattern.key, { ...sizes, ...(value === null ? narrow(sizes) : {}), must: sizes.must || isHigh });
    if (value === null) return found;
    const key = `${value} ${pattern.key}`, before = found.pairs.get(key) ?? { pattern, value, low: 0n, high: BigInt(rows) };
    found.pairs.set(key, { ...before, ...narrow(before) });
    return found;
  }
}

/** A case: a worth for each record, prices of cuts and of what is limited. `bound` is D times a cost; null if no release is left. */
class Case {
  constructor(rule, end, limits) {
    const { worth, prices, limited } = fields(end, ["worth", "prices", "limited"], "an end"), { records } = rule.ground;
    Object.assign(this, { rule, limits, worth: wholes(worth, "worth", records.count) });
    this.prices = wholes(prices, "prices", rule.cuts.cuts.length, 0n);
    const pairs = [...limits.pairs.values()], given = wholes(limited, "limited", pairs.length);
    this.pairs = pairs.map((pair, i) => ({ ...pair, price: given[i] }));
    this.bound = sum(worth.map((one, r) => one * records.sizes[r])) - rule.cuts.taken(prices);
    for (const { price, low, high } of this.pairs) this.bound += price * (price > 0n ? low : high);
  }

  /** Subtract what the group of a pattern, of `least` rows or more, gains above its charge. */
  look({ key, members, leftOut }, least) {
    const { ground, bounds, cuts, denominator, valueOf } = this.rule, said = this.limits.patterns.get(key);
    if (this.bound === null) return;
    const { low, high, must } = said ?? { low: least, high: BigInt(ground.rows), must: false };
    if (low > high) {
      if (must) this.bound = null;
      return;
    }
    const gains = members.map((r) => this.worth[r] - denominator * leftOut);
    const charge = cuts.cuts.length ? cuts.charge(key, members, gains, this.prices, Number(low)) : 0n;
    for (const pair of said ? this.pairs : []) {
      if (pair.pattern.key === key) members.forEach((r, at) => { if (valueOf[r] === pair.value) gains[at] += pair.price; });
    }
    const nothing = must || charge < 0n ? null : 0n;
    if (nothing !== null && gains.every((gain) => gain <= 0n)) return;
    const gained = bounds.best(key, members, gains, low, high, nothing);
    if (gained === null) this.bound = must ? null : this.bound;
    else if (must || charge < gained) this.bound += charge - gained;
  }
}

function checkCases(ground, { value, denominator, reach, whole: isWhole, cuts, potentials, tree }) {
  const { records, principle } = ground, size = principle.asNumber(principle.leastSize), [column] = principle.columns;
  positive(denominator, "denominator");
  if (reach === null) ground.limitPatterns(records);
  else whole(reach, "reach", 0n);
  const bounds = new GroupBounds(ground, potentials, isWhole), valueOf = column && records.codes[ground.columns.length];
  const rule = { ground, bounds, denominator, valueOf, cuts: new Cuts(ground, cuts, size) }, cases = [];
  const read = (node, limits) => {
    if (!(node instanceof Map) || !node.has("low")) return cases.push(new Case(rule, node, limits));
    const fork = fields(node, ["kept", "example", "value", "most", "low", "high"], "a fork");
    const pattern = ground.pattern(records, fork.kept, fork.example, size), most = whole(fork.most, "most", 0n, BigInt(ground.rows) - 1n);
    if (fork.value === null && most > 0n && !isWhole) rejected("a fork is about a size, which only whole rows have limits of");
    if (fork.value !== null && principle.columns.length !== 1) rejected("a fork is about a value, and the principle not about one column");
    const chosen = fork.value === null ? null : numberBelow(column.values.length, fork.value, "value"), first = bounds.leastSize(pattern.members);
    if (first === null) rejected(`the pattern [${pattern.kept}] of ${pattern.example} can hold no group`);
    const span = { first, last: BigInt(rowsOf(records, pattern.members)) }, decision = { pattern, value: chosen, most };
    read(fork.low, limits.decide(ground.rows, span, decision, false));
    return read(fork.high, limits.decide(ground.rows, span, decision, true));
  };
  read(tree, new Limits());
  if (reach !== null) for (const { worth } of cases) checkLonely(ground, worth, denominator, reach, size);
  const named = new Map([...rule.cuts.patterns, ...cases.flatMap(({ limits }) => [...limits.patterns].map(([key, { pattern }]) => [key, pattern]))]);
  const look = (pattern) => {
    const first = bounds.leastSize(pattern.members);
    if (first !== null) cases.forEach((one) => one.look(pattern, first));
  };
  for (const pattern of named.values()) look(pattern);
  const keeps = new Set([...named.values()].map(({ kept }) => kept.join()));
  const worth = cases[0].worth.map((_, r) => cases.map((one) => one.worth[r]).reduce(largest));
  const together = column ? 1 : size; // of k-anonymity, k rows gain together or not at all
  ground.walk(records, { worth, denominator, size, reach, together }, ({ kept, members, leftOut }) => {
    const key = keyOf(kept, members);
    if (!keeps.has(kept.join()) || !named.has(key)) look({ key, members, leftOut });
  });
  const left = cases.map(({ bound }) => bound).filter((bound) => bound !== null);
  if (left.length === 0) rejected("no end is left");
  prove(value, left.reduce(least), denominator);
}

/** Refuse worths above the reach of records that have a group's rows nearer than that. */
function checkLonely(ground, worth, denominator, reach, size) {
  const { records } = ground, codes = records.codes.slice(0, ground.columns.length);
  worth.forEach((own, r) => {
    if (own <= denominator * reach) return;
    let rows = 0;
    for (let e = 0; e < records.count; e++) if (denominator * apart(ground, codes, r, e) < own) rows += records.size[e];
    if (rows >= size) rejected(`record ${r} is worth more than the reach, and ${rows} rows are within its worth`);
  });
}

// ----------------------------------------------------------------------------- parts of weights, bounds of a table

function checkParts(ground, { value, parts }) {
  const left = [...ground.weights];
  let [total, last] = [0n, null];
  const found = list(parts, "parts").map((one) => {
    const { columns, weights, unit, proof } = fields(one, ["columns", "weights", "unit", "proof"], "a part");
    const own = list(columns, "a part's columns").map((j) => numberBelow(ground.columns.length, j, "a column"));
    if (own.length === 0 || new Set(own).size < own.length) malformed("a part has no column, or one twice");
    if (last && compareLists(last, own) >= 0) malformed("the parts are not sorted");
    last = own;
    positive(unit, "the unit");
    wholes(weights, "a part's weights", own.length, 1n).forEach((weight, i) => { left[own[i]] -= unit * weight; });
    return { own, weights: weights.map((weight) => [weight, 1n]), unit, proof };
  });
  inParts(ground, found, ({ own, weights, unit, proof }) => {
    const part = new Ground(own.map((j) => ground.columns[j]), weights, ground.principle, ground.rows, ground.progress);
    total += unit * checkRule(part, proof, ["cases", "own-bound"]);
  });
  if (left.some((weight) => weight < 0n)) rejected("the parts together weigh more than the columns");
  prove(value, total, 1n);
}

/** Yield all sets of columns, lightest first. */
function* lightestFirst(weights) {
  const order = [...weights.keys()].sort((i, j) => (weights[i] < weights[j] ? -1 : weights[i] > weights[j] ? 1 : i - j));
  yield { columns: [], weight: 0n };
  const heap = new Heap((one, other) => one.weight < other.weight);
  heap.push({ places: [0], weight: weights[order[0]] });
  for (;;) {
    const found = heap.pop();
    if (!found) return;
    const { places, weight } = found, end = places[places.length - 1];
    yield { columns: places.map((place) => order[place]), weight };
    if (end + 1 === order.length) continue;
    const next = weights[order[end + 1]];
    heap.push({ places: [...places, end + 1], weight: weight + next });
    heap.push({ places: [...places.slice(0, -1), end + 1], weight: weight + next - weights[order[end]] });
  }
}

class Heap {
  constructor(isBefore) { [this.isBefore, this.all] = [isBefore, []]; }

  push(one) {
    const { all, isBefore } = this;
    let at = all.push(one) - 1;
    for (let up; at > 0 && isBefore(one, all[(up = (at - 1) >> 1)]); at = up) [all[at], all[up]] = [all[up], one];
  }

  pop() {
    const { all, isBefore } = this, found = all[0], one = all.pop();
    if (all.length === 0) return found;
    let at = 0;
    for (let down; (down = 2 * at + 1) < all.length; at = down) {
      if (down + 1 < all.length && isBefore(all[down + 1], all[down])) down++;
      if (!isBefore(all[down], one)) break;
      all[at] = all[down];
    }
    all[at] = one;
    return found;
  }
}

function checkSatisfiable(ground) {
  const violated = ground.principle.isViolatedByAll();
  if (violated) rejected(`the whole table has not ${violated.words()}: there is no release`);
}

function checkOwnBound(ground, { value }) {
  const { rows, principle, weights } = ground, size = principle.sizeOfSeveral();
  const paid = (levels, end) => paidByLevels(rows, size, levels, value, end);
  const ways = [ // those that may take long come last
    () => paid(levelsOfSets(ground, size, LIMITS.fewLooks)),
    () => paidInColumns(ground, size),
    () => paid(levelsOfBalls(ground, size)),
    () => paid(levelsOfSets(ground, size, LIMITS.ownBoundLooks), sum(weights)),
  ];
  let found = 0n;
  for (const way of ways) if (found < value) found = largest(found, way());
  prove(value, found, 1n);
}

/** The most rows in groups of `size` to `most` rows, where `able` rows can be in one, and the others are none or `size`. */
function mostInGroups(rows, size, able, most) {
  const within = (count) => Math.min(count, Math.floor(count / size) * most), all = within(able);
  return all === rows || rows - all >= size ? all : within(Math.max(0, rows - size));
}

/**
 * What rows pay that cannot pay less. A level: a weight, how many rows can pay no more than that, the size of their largest class. If `end` is
 * given, levels up to that weight are only looked at while they can make `value`: the rows that can pay no more do not become fewer.
 */
function paidByLevels(rows, size, levels, value, end = null) {
  let [total, reached, below] = [0n, 0n, 0];
  for (const { weight, able, most } of levels) {
    total += (weight - reached) * BigInt(rows - below);
    if (total >= value) break;
    [reached, below] = [weight, mostInGroups(rows, size, able, most)];
    if (end !== null && total + (end - reached) * BigInt(rows - below) < value) break;
  }
  return total;
}

function* levelsOfSets(ground, size, limit) {
  const { records, weights } = ground, isDone = new Array(records.count).fill(false);
  let [able, most, looks] = [0, 0, 0n];
  for (const { columns, weight } of lightestFirst(weights)) {
    const [holds, largestClass] = company(ground, [...weights.keys()].filter((j) => !columns.includes(j)), size);
    holds.forEach((one, r) => {
      if (one && !isDone[r]) [isDone[r], able] = [true, able + records.size[r]];
    });
    most = Math.max(most, largestClass);
    yield { weight, able, most };
    looks += BigInt(records.count);
    if (looks > limit) return;
  }
}

function paidInColumns(ground, size) {
  return sum(ground.weights.map((weight, j) => {
    const [holds, most] = company(ground, [j], size);
    const able = holds.reduce((total, one, r) => total + (one ? ground.records.size[r] : 0), 0);
    return weight * BigInt(ground.rows - mostInGroups(ground.rows, size, able, most));
  }));
}

function* levelsOfBalls(ground, size) {
  const { types, weights } = ground;
  if (BigInt(types.count) ** 2n * BigInt(weights.length) > LIMITS.ballLooks) return;
  const news = new Map(); // by distance: how many rows have so large a ball there for the first time, and the largest ball
  const at = (distance) => news.get(distance) ?? news.set(distance, { able: 0, most: 0 }).get(distance);
  for (let e = 0; e < types.count; e++) {
    const near = new Map();
    for (let f = 0; f < types.count; f++) {
      const distance = apart(ground, types.codes, e, f);
      near.set(distance, (near.get(distance) ?? 0) + types.size[f]);
    }
    let held = 0;
    for (const distance of [...near.keys()].sort((a, b) => (a < b ? -1 : 1))) {
      const before = held, level = at(distance);
      held += near.get(distance);
      if (held >= size) level.most = Math.max(level.most, held);
      if (before < size && held >= size) level.able += types.size[e];
    }
  }
  at(sum(weights));
  let [able, most] = [0, 0];
  for (const weight of [...news.keys()].sort((a, b) => (a < b ? -1 : 1))) {
    [able, most] = [able + news.get(weight).able, Math.max(most, news.get(weight).most)];
    yield { weight, able, most };
  }
}

/** Of each record whether its class on the columns `kept` can hold a group of `size` rows, and the size of the largest that can. */
function company(ground, kept, size) {
  const { records, principle } = ground, classes = vectors(kept.map((j) => records.codes[j]), records.count);
  const diverse = principle.others.filter((one) => !(one instanceof Closeness));
  const rows = new Array(classes.count).fill(0), values = diverse.map(() => rows.map(() => new Set()));
  for (let r = 0; r < records.count; r++) {
    rows[classes.of[r]] += records.size[r];
    diverse.forEach((one, i) => values[i][classes.of[r]].add(ground.valuesOf(one)[r]));
  }
  const holds = rows.map((count, c) => count >= size && diverse.every((one, i) => BigInt(values[i][c].size) >= one.leastSize()));
  return [Array.from(classes.of, (c) => holds[c]), rows.reduce((most, count, c) => (holds[c] ? Math.max(most, count) : most), 0)];
}

function checkAllPartitions(ground, { value }) {
  const { principle, codes, weights } = ground;
  checkEveryPartition(ground, value, 1, ground.rows, (members) => {
    const differ = weights.filter((_, j) => !agree(codes[j], members));
    return principle.violated(members) ? null : BigInt(members.length) * sum(differ);
  });
}

/** The least cost over all partitions of a few rows into groups of `low` to `high`; `costOf` a group is null if it may be none. */
function checkEveryPartition({ rows }, value, low, high, costOf) {
  let [looks, choices] = [1n << BigInt(Math.min(rows, 64)), 1n]; // sets of rows, and each again for each group in it; groups of one size
  for (let size = 1; size <= high && looks <= LIMITS.groupLooks; size++) {
    choices = (choices * BigInt(rows - size + 1)) / BigInt(size);
    if (size >= low) looks += choices << BigInt(rows - size);
  }
  if (looks > LIMITS.groupLooks) beyond(`all partitions of ${rows} rows are too many`);
  const cost = new Map(), cheapest = [0n], all = Array.from({ length: rows }, (_, row) => row); // of sets of rows as bits; null where there is none
  for (let set = 1; set < 1 << rows; set++) {
    const inside = all.filter((row) => (set >> row) & 1);
    let best = null;
    const choose = (at, group, members) => { // rows of the set, the first one among them
      if (members.length >= low) {
        if (!cost.has(group)) cost.set(group, costOf(members));
        const own = cost.get(group), other = cheapest[set ^ group];
        if (own !== null && other !== null && (best === null || own + other < best)) best = own + other;
      }
      if (members.length === high) return;
      for (let next = at; next < inside.length && members.length + inside.length - next >= low; next++) {
        choose(next + 1, group | (1 << inside[next]), [...members, inside[next]]);
      }
    };
    choose(1, 1 << inside[0], [inside[0]]);
    cheapest.push(best);
  }
  prove(value, cheapest[cheapest.length - 1], 1n);
}

// -------------------------------------------------------------------------------------------------- diameters

/** What row types (or rows) weigh in the columns on which they differ. */
function apart({ weights }, codes, d, e) {
  let found = 0n;
  codes.forEach((column, j) => { if (column[d] !== column[e]) found += weights[j]; });
  return found;
}

function checkEnoughRows(ground, { k }) {
  if (BigInt(ground.rows) < k) rejected(`there are ${ground.rows} rows, and a group has ${k}`);
}

function checkOwnBoundOfDiameters(ground, { value }, choice) {
  const { types } = ground, all = Array.from({ length: types.count }, (_, t) => t), most = 2n * choice.k - 1n;
  if (BigInt(types.count) ** 2n * BigInt(types.codes.length) > LIMITS.patterns) beyond(`${types.count} row types have too many distances`);
  const radii = [], upTo = (rows) => (rows + most - 1n) / most; // of the rows 0, 2k - 1, 4k - 2, ...: how many are among the first
  let widest = 0n;
  for (const t of all) {
    let held = 0n;
    for (const [far, rows] of all.map((e) => [apart(ground, types.codes, t, e), types.sizes[e]]).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
      if (held < choice.k && choice.k <= held + rows) radii.push([far, types.sizes[t]]);
      held += rows;
      widest = largest(widest, far);
    }
  }
  if (BigInt(ground.rows) <= most) return prove(value, widest, 1n);
  let [total, passed] = [0n, 0n];
  for (const [radius, rows] of radii.sort(([a], [b]) => (a > b ? -1 : a < b ? 1 : 0))) {
    total += radius * (upTo(passed + rows) - upTo(passed));
    passed += rows;
  }
  return prove(value, total, 1n);
}

function checkAllPartitionsByDiameter(ground, { value }, { k }) {
  const most = Number(least(2n * k - 1n, BigInt(ground.rows)));
  checkEveryPartition(ground, value, Number(k), most, (members) => {
    return members.flatMap((i) => members.map((j) => apart(ground, ground.codes, i, j))).reduce(largest);
  });
}

// ------------------------------------------------------------------------------------------------ cases of rows

/**
 * The least size k of groups, for each row a number that no other row of its group may have, and why groups of k to 2k - 1
 * rows are not enough; "" if they are.
 */
function groupsOfRows({ principle, rows }, k) {
  const kinds = Array.from({ length: rows }, (_, row) => row);
  if (!principle) return [k, kinds, ""];
  const [condition] = principle.conditions, isByShares = condition.constructor === Frequency && condition.l[1] === 1n;
  if (principle.conditions.length > 1 || !(isByShares || condition.constructor === KAnonymity)) {
    return [principle.leastSize, kinds, "groups of k to 2k - 1 rows are enough under k-anonymity or frequency diversity with a whole l alone"];
  }
  return [condition.leastSize(), isByShares ? condition.column.codes : kinds, ""];
}

/** Whether n rows have at most so many sets of `from` to `to` rows. */
function areFewSets(n, from, to, most) {
  let looks = 0n;
  for (let size = from; size <= to && size <= n && looks <= most; size++) {
    const few = least(size, n - size);
    if (few > BigInt(most.toString(2).length)) return false;
    let choices = 1n;
    for (let i = 1n; i <= few; i++) choices = (choices * (n - i + 1n)) / i;
    looks += choices;
  }
  return looks <= most;
}

/** Whether k rows gain, no two of a kind: rows join by falling worth, if enough others of the last one's worth could gain with it. */
function someGain({ codes, weights, rows }, kinds, worth, k, denominator) {
  if (k === 1n) return worth.some((one) => one > 0n);
  const most = k * (denominator * sum(weights) + worth.reduce((found, one) => largest(found, one < 0n ? -one : one), 0n));
  const as = most < 2n ** 53n ? Number : BigInt, worths = worth.map(as), price = as(k * denominator);
  const bytes = Math.ceil(weights.length / 8), rooms = Array.from({ length: Number(k) }, (_, room) => as(BigInt(room)));
  const ofByte = (b, bits) => as(sum(weights.filter((_, j) => j >> 3 === b && (bits >> (j & 7)) & 1)));
  const tables = Array.from({ length: bytes }, (_, b) => Array.from({ length: 256 }, (_, bits) => ofByte(b, bits)));
  const weigh = (one, other) => {
    let total = rooms[0];
    for (let b = 0; b < bytes; b++) total += tables[b][one[b] | other[b]];
    return total;
  };
  function* joined(apart, { far, held, room, left }) { // groups with one row more, of those that are left
    if (left.length < room) return;
    // Beside other rows, none of which is worth more than the first.
    const beside = held + rooms[room - 1] * worths[left[0]];
    const kept = left.filter((row) => beside + worths[row] > price * weigh(far, apart[row]));
    for (let at = 0; at + room <= kept.length; at++) {
      const row = kept[at];
      if (held + rooms[room] * worths[row] <= price * weigh(far, apart[row])) continue;
      const others = room === 1 ? [] : kept.slice(at + 1).filter((other) => kinds[other] !== kinds[row]);
      yield { far: far.map((bits, b) => bits | apart[row][b]), held: held + worths[row], room: room - 1, left: others };
    }
  }
  const grows = (apart, left, held) => {
    const waiting = [joined(apart, { far: new Uint8Array(bytes), held, room: Number(k) - 1, left })];
    while (waiting.length) {
      const { done, value } = waiting[waiting.length - 1].next();
      if (done) waiting.pop();
      else if (value.room === 0) return true;
      else waiting.push(joined(apart, value));
    }
    return false;
  };
  const order = Array.from({ length: rows }, (_, row) => row).sort((i, j) => (worths[i] > worths[j] ? -1 : worths[i] < worths[j] ? 1 : 0));
  return order.some((first, at) => {
    const apart = [], others = order.slice(at + 1).filter((row) => kinds[row] !== kinds[first]);
    for (const row of others) {
      apart[row] = new Uint8Array(bytes);
      codes.forEach((column, j) => {
        if (column[row] !== column[first]) apart[row][j >> 3] |= 1 << (j & 7);
      });
    }
    return grows(apart, others, worths[first]);
  });
}

function checkRowCases(ground, { value, denominator, sets, tree }, choice) {
  const { rows, codes, weights } = ground, all = Array.from({ length: rows }, (_, row) => row), isOfCells = choice === null;
  const [k, kinds, whyNot] = groupsOfRows(ground, choice?.k), n = BigInt(rows), areMany = !areFewSets(n, 1n, 2n * k - 1n, LIMITS.rowSets);
  const isShort = isOfCells && Array.isArray(sets) && sets.length === 0 && !(tree instanceof Map && tree.has("low"));
  if (!isShort && whyNot) rejected(whyNot);
  if (!areFewSets(n, k, k, LIMITS.leastSets) || (areMany && !isShort)) beyond(`${rows} rows have too many sets`);
  positive(denominator, "denominator");
  const odd = list(sets, "sets").map((one) => set(rows, one, "a set"));
  odd.forEach((one, i) => {
    if (one.length % 2 === 0) malformed("a set has an even number of rows");
    if (i > 0 && compareLists(odd[i - 1], one) >= 0) malformed("the sets are not strictly increasing");
  });
  // In which columns two rows differ, as bits, or how far apart they are; null if no group has both.
  const marks = isOfCells ? weights.map((_, j) => 1n << BigInt(j)) : weights;
  const differ = (i, j) => codes.reduce((found, column, c) => (column[i] === column[j] ? found : found + marks[c]), 0n);
  const memo = new Map();
  let apart = null;
  const weigh = (far) => (isOfCells ? sum(weights.filter((_, j) => far & marks[j])) : far);
  const charge = (far) => {
    if (!memo.has(far)) memo.set(far, denominator * weigh(far));
    return memo.get(far);
  };
  const read = (node, path) => {
    if (node instanceof Map && node.has("low")) {
      const { about, low, high } = fields(node, ["about", "low", "high"], "a fork"), pair = set(rows, about, "about");
      if (pair.length !== 2 || path.some(({ pair: one }) => one.join() === pair.join())) malformed("a fork is about two rows, once on a path");
      read(low, [...path, { pair, isApart: true }]);
      read(high, [...path, { pair, isApart: false }]);
      return;
    }
    const { worth, prices } = fields(node, ["worth", "prices"], "an end");
    wholes(worth, "worth", rows);
    wholes(prices, "prices", odd.length, 0n);
    if (isShort) {
      if (!someGain(ground, kinds, worth, k, denominator)) return prove(value, sum(worth), denominator);
      if (whyNot || areMany) rejected(`${k} rows gain, and larger groups are not looked at`);
    }
    apart ??= all.map((i) => all.map((j) => (i !== j && kinds[i] === kinds[j] ? null : differ(i, j))));
    let atomOf = all; // rows that stay together have one atom
    for (const { pair: [i, j], isApart } of path) if (!isApart) atomOf = atomOf.map((one) => (one === atomOf[j] ? atomOf[i] : one));
    const here = apart.map((row) => [...row]);
    for (const { pair: [i, j], isApart } of path) if (isApart) {
      const first = all.filter((row) => atomOf[row] === atomOf[i]), second = all.filter((row) => atomOf[row] === atomOf[j]);
      for (const one of first) for (const other of second) here[one][other] = here[other][one] = null;
    }
    const atoms = [...new Set(atomOf)].map((atom) => {
      const members = all.filter((row) => atomOf[row] === atom), own = sum(members.map((row) => worth[row]));
      const held = odd.map((one, i) => [one.filter((row) => atomOf[row] === atom).length % 2, i]).filter(([isOdd]) => isOdd).map(([, i]) => i);
      return { rows: members, worth: own, odd: sum(held.map((i) => 1n << BigInt(i))), reach: own + sum(held.map((i) => prices[i])) };
    });
    const gain = largestGain(atoms, { apart: here, size: Number(k), charge, prices, isOfCells });
    prove(value, sum(worth) + sum(prices) - (BigInt(rows) / k) * gain, denominator);
  };
  read(tree, []);
}

/** The most that a group gains, or 0: it grows atom by atom, and atoms that cannot lead to a larger gain are left out. */
function largestGain(atoms, { apart, size, charge, prices, isOfCells }) {
  const paid = new Map();
  let best = 0n;
  const pay = (odd) => {
    if (!paid.has(odd)) paid.set(odd, sum(prices.filter((_, i) => (odd >> BigInt(i)) & 1n)));
    return paid.get(odd);
  };
  const grow = (rows, far, worth, odd, left) => {
    const grown = [];
    for (const atom of left) {
      const inside = [...rows, ...atom.rows], pairs = atom.rows.flatMap((i) => inside.map((j) => apart[i][j]));
      if (inside.length >= 2 * size || pairs.includes(null)) continue;
      const now = pairs.reduce((found, its) => (isOfCells ? found | its : largest(found, its)), far);
      const cost = charge(now), sets = odd ^ atom.odd, all = worth + atom.worth;
      const gain = all + pay(sets) - (isOfCells ? BigInt(inside.length) * cost : cost);
      if (inside.length >= size) best = largest(best, gain);
      grown.push({ atom, inside, now, sets, all, gain, each: isOfCells ? cost : 0n });
    }
    const kept = grown.filter(({ atom, inside, gain, each }) => {
      let [room, most] = [2 * size - 1 - inside.length, gain];
      if (room === 0) return false;
      for (const { atom: other } of grown) {
        if (most > best || room === 0 || other.reach <= each) break;
        if (other !== atom) [most, room] = [most + other.reach - each, room - 1];
      }
      return most > best;
    });
    kept.forEach(({ inside, now, all, sets }, at) => grow(inside, now, all, sets, kept.slice(at + 1).map(({ atom }) => atom)));
  };
  grow([], 0n, 0n, 0n, atoms.sort((one, other) => (one.reach > other.reach ? -1 : one.reach < other.reach ? 1 : 0)));
  return best;
}

// --------------------------------------------------------------------------------------------- given patterns

/** The patterns that a statement gives: what a row of each costs, and the row types that it matches. */
class Given {
  constructor(ground, { k, patterns }) {
    const { types, columns } = ground, seen = new Set();
    Object.assign(this, { name: "given-patterns", k, ground });
    this.patterns = list(patterns, "patterns").map((pattern) => {
      const kept = list(pattern, "a pattern", columns.length).map((its) => (its === null ? null : text(its, "a cell")));
      seen.add(JSON.stringify(kept));
      const numbers = kept.map((its, j) => (its === null ? null : (columns[j].numbers.get(its) ?? -1)));
      const members = Array.from({ length: types.count }, (_, t) => t).filter((t) => numbers.every((n, j) => n === null || n === types.codes[j][t]));
      return { members, cost: sum(ground.weights.filter((_, j) => kept[j] === null)) };
    });
    if (seen.size < this.patterns.length || seen.size === 0) malformed("a pattern is given twice, or none is");
  }

  /** Refuse patterns that cannot have k rows each, or leave a row without one: a flow, one row after the other. */
  checkSolvable() {
    const { patterns, ground: { types, rows } } = this, left = [...types.sizes], held = patterns.map(() => new Map());
    const why = "no solution exists: a row matches no pattern, or the patterns cannot have k rows each";
    if (new Set(patterns.flatMap(({ members }) => members)).size < types.count) rejected(why);
    if (this.k * BigInt(patterns.length) > BigInt(rows)) rejected(why);
    const give = (p, t, by) => held[p].set(t, (held[p].get(t) ?? 0) + by);
    for (let need = 0; need < Number(this.k) * patterns.length; need++) {
      const first = Math.floor(need / Number(this.k)), taker = new Map([[first, null]]), reached = [first];
      let end = null;
      for (const p of reached) { // grows as it goes
        const free = patterns[p].members.find((t) => left[t] > 0n);
        if (free !== undefined) { end = [p, free]; break; }
        for (const t of patterns[p].members) held.forEach((its, q) => {
          if (its.get(t) && !taker.has(q)) { taker.set(q, [p, t]); reached.push(q); }
        });
      }
      if (!end) rejected(why);
      left[end[1]] -= 1n;
      for (let [p, t] = end; ; ) {
        give(p, t, 1);
        const next = taker.get(p);
        if (!next) break;
        give(p, next[1], -1);
        [p, t] = next;
      }
    }
  }
}

function checkCasesOfPatterns({ types }, { value, denominator, tree }, { patterns, k }) {
  positive(denominator, "denominator");
  const worth = wholes(fields(tree, ["worth"], "the end").worth, "worth", types.count);
  let bound = sum(worth.map((one, t) => one * types.sizes[t]));
  for (const { members, cost } of patterns) {
    const gains = members.map((t) => [worth[t] - denominator * cost, types.sizes[t]]).sort(byGain);
    let lacking = k;
    for (const [gain, rows] of gains) {
      const taken = gain > 0n ? rows : least(rows, largest(0n, lacking));
      [bound, lacking] = [bound - gain * taken, lacking - taken];
    }
  }
  prove(value, bound, denominator);
}

// ----------------------------------------------------------------------------------------- choices of columns

/** A problem that asks for a set of columns: which are sufficient. */
class Choice {
  constructor(ground, name, k, share) {
    Object.assign(this, { ground, name, k, share });
    this.all = ground.columns.map((_, j) => j);
  }

  isSufficient(columns) {
    const { ground, all } = this, { rows, principle } = ground;
    const classes = (kept) => vectors(kept.map((j) => ground.columns[j].codes), rows);
    if (this.name === "identifying-columns") return classes(columns).count === ground.types.count;
    if (this.name !== "attribute-suppression") {
      const alone = sum(Array.from(classes(columns).size, BigInt).filter((size) => size < this.k));
      return alone > 0n && (this.share === null || alone * this.share[1] >= this.share[0] * BigInt(rows));
    }
    const found = classes(all.filter((j) => !columns.includes(j))), members = Array.from(found.size, () => []);
    found.of.forEach((one, row) => members[one].push(row));
    return members.every((group) => !principle.violated(group));
  }

  without(columns) { return this.all.filter((j) => !columns.includes(j)); }
}

function checkHittingSet(ground, { value, barriers: stated, denominator, tree }, choice) {
  positive(denominator, "denominator");
  const { weights } = ground, barriers = list(stated, "barriers").map((one) => set(weights.length, one, "a barrier"));
  for (let i = 1; i < barriers.length; i++) if (compareLists(barriers[i - 1], barriers[i]) >= 0) malformed("the barriers are not strictly increasing");
  const sufficient = inParts(ground, barriers, (barrier) => choice.isSufficient(choice.without(barrier)));
  sufficient.forEach((one, i) => { if (one) rejected(`the columns outside barrier ${i} are sufficient`); });
  const read = (node, taken, left) => {
    if (node instanceof Map && node.has("column")) {
      const { column, taken: one, left: other } = fields(node, ["column", "taken", "left"], "a fork");
      const j = numberBelow(weights.length, column, "a column");
      if (taken.includes(j) || left.includes(j)) malformed(`a fork decides on column ${j}, which is decided above`);
      read(one, [...taken, j], left);
      read(other, taken, [...left, j]);
      return;
    }
    const { shares } = fields(node, ["shares"], "an end");
    const paid = weights.map(() => 0n);
    let [total, last] = [denominator * ground.weightOf(taken), -1];
    for (const one of list(shares, "shares")) {
      const [number, share] = list(one, "a share", 2), i = numberBelow(barriers.length, number, "a barrier's number");
      whole(share, "a share", 1n);
      if (i <= last) malformed("the shares are not by rising barrier");
      last = i;
      if (barriers[i].some((j) => taken.includes(j))) rejected(`barrier ${i} has a column that is taken`);
      for (const j of barriers[i]) paid[j] += share;
      total += share;
    }
    weights.forEach((weight, j) => {
      if (!left.includes(j) && paid[j] > denominator * weight) rejected(`the shares of column ${j} sum to more than its weight`);
    });
    if (total < denominator * value) rejected(`an end proves ${total}/${denominator}, and the proof says ${value}`);
  };
  read(tree, [], []);
}

function checkOwnBoundOfColumns(ground, { value }, choice) {
  const { weights, columns, types } = ground, { all } = choice;
  const needed = all.filter((j) => !choice.isSufficient(choice.without([j])));
  const smallest = (chosen, count) => sum(chosen.map((j) => weights[j]).sort((a, b) => (a < b ? -1 : 1)).slice(0, count));
  let bound = ground.weightOf(needed);
  if (choice.name === "attribute-suppression") {
    bound = choice.isSufficient([]) ? 0n : largest(bound, smallest(all, 1));
  } else if (!choice.isSufficient(needed)) {
    const further = choice.without(needed);
    const ways = further.filter((j) => choice.isSufficient([...needed, j])).map((j) => weights[j]);
    if (further.length > 1) ways.push(smallest(further, 2));
    bound += ways.reduce(least);
  }
  if (choice.name === "identifying-columns") {
    const numbers = columns.map((column) => BigInt(column.values.length)).sort((a, b) => (a < b ? 1 : -1));
    let [count, product] = [0, 1n];
    while (product < BigInt(types.count)) product *= numbers[count++];
    bound = largest(bound, smallest(all, count));
  }
  prove(value, bound, 1n);
}

// ------------------------------------------------------------------------------------------------ fake points

const plus = ([a, b], [c, d]) => reduced(a * d + c * b, b * d);
const minus = (one, [c, d]) => plus(one, [-c, d]);
const isBefore = (one, other) => { // places, by their coordinates
  const axis = one.findIndex((x, i) => isLess(x, other[i]) || isLess(other[i], x));
  return axis >= 0 && isLess(one[axis], other[axis]);
};

/** Points, those that boxes stand for, and what their regime tests. */
class Points {
  constructor(table, { name, k, regime, domain, widths }) {
    const axes = table.quasi.length, isBoxes = name === "fake-boxes";
    Object.assign(this, { name, k, regime, axes });
    this.widths = isBoxes ? Array(axes).fill([1n, 1n]) : this.place(widths, "the widths");
    if (this.widths.some(([a]) => a <= 0n)) malformed("a width is not positive");
    if (!["primal", "dual", "unrestricted"].includes(regime)) malformed("there is no such regime");
    if ((domain === null) !== (regime === "unrestricted")) malformed("the regime and the domain do not fit each other");
    const half = (width) => (regime === "dual" ? reduced(width[0], 2n * width[1]) : [0n, 1n]);
    this.sides = domain === null ? [] : list(domain, "the domain", axes).map((side, i) => {
      const [low, high] = list(side, "a side", 2).map((one) => fraction(one, "an end of a side"));
      const moved = half(this.widths[i]);
      return isBoxes ? [plus(low, moved), minus(plus(high, [1n, 1n]), moved)] : [low, high];
    });
    const numbers = table.quasi.map((column) => column.values.map((value) => numberOf(value, column)));
    const held = new Map();
    for (let row = 0; row < table.rows; row++) {
      const point = numbers.map((values, i) => {
        const x = values[table.quasi[i].codes[row]];
        return isBoxes ? plus(x, [1n, 1n]) : x;
      });
      const key = point.map(written).join();
      if (!held.has(key)) held.set(key, { point, copies: 0n });
      held.get(key).copies++;
    }
    this.data = [...held.values()];
    this.sides.forEach(([low, high], i) => {
      const width = this.widths[i], from = plus(low, half(width)), to = minus(high, half(width));
      if (isLess(minus(high, low), width)) rejected("a side of the domain is shorter than a test box");
      for (const { point } of this.data) {
        const isBeyond = regime === "primal" ? !isLess(point[i], to) : isLess(to, point[i]);
        if (isBeyond || isLess(point[i], from)) rejected("a point lies outside of the domain");
      }
    });
  }

  place(value, where) { return list(value, where, this.axes).map((one) => fraction(one, `an entry of ${where}`)); }

  end(corner) { return corner.map((c, i) => plus(c, this.widths[i])); }

  isTested(corner) {
    if (this.regime !== "primal") return true;
    return corner.every((c, i) => !isLess(c, this.sides[i][0]) && !isLess(minus(this.sides[i][1], this.widths[i]), c));
  }

  held(corner) {
    const end = this.end(corner), isIn = (point) => point.every((x, i) => !isLess(x, corner[i]) && isLess(x, end[i]));
    return sum(this.data.filter(({ point }) => isIn(point)).map(({ copies }) => copies));
  }

  words(bound) {
    const wide = this.widths.map(written).join(" x "), where = this.sides.map(([low, high]) => ` from ${written(low)} to ${written(high)}`);
    const what = this.name === "fake-boxes" ? "fake boxes (a box stands for the point of its upper ends)" : "fake points";
    const count = this.data.reduce((total, { copies }) => total + copies, 0n);
    return `It takes ${written(bound)} ${what} or more, until each test box of ${wide} that is tested in the regime "${this.regime}"${where.join()} holds none or at least ${this.k} of the ${count} points and the fakes.`;
  }
}

/** Whether some place counts more than `most`. A part: `from`, `to`, `amount`, the share that it is of, whether it is bare. */
function countsMore(parts, most, axis = 0) {
  const bare = new Map(parts.filter((part) => part.isBare).map((part) => [part.share, part.amount]));
  if (parts.length === 0 || axis === parts[0].from.length) {
    const others = parts.filter((part) => !part.isBare && !bare.has(part.share)).map((part) => part.amount);
    return sum([...bare.values(), ...others]) > most;
  }
  const changes = parts.flatMap(({ from, to }) => [from[axis], to[axis]]).sort((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
  const begins = [...parts].sort((a, b) => (isLess(a.from[axis], b.from[axis]) ? -1 : 1));
  let [open, begun] = [[], 0];
  return changes.some((x, i) => {
    if (i > 0 && !isLess(changes[i - 1], x)) return false;
    while (begun < begins.length && !isLess(x, begins[begun].from[axis])) open.push(begins[begun++]);
    open = open.filter((part) => isLess(x, part.to[axis]));
    const gains = sum(open.map((part) => largest(part.amount, 0n)));
    return gains > most && countsMore(open, most, axis + 1);
  });
}

function checkBoxShares(points, { value, denominator, tree }) {
  positive(denominator, "denominator");
  const { k } = points;
  const read = (node, path) => {
    if (node instanceof Map && node.has("few")) {
      const said = fields(node, ["lower", "upper", "most", "few", "many"], "a fork");
      const [from, to] = [points.place(said.lower, "lower"), points.place(said.upper, "upper")];
      if (from.some((x, i) => !isLess(x, to[i]))) malformed("a fork is about no places");
      const fork = { from, to, most: whole(said.most, "most", 0n) };
      read(said.few, [...path, { ...fork, isMany: false }]);
      read(said.many, [...path, { ...fork, isMany: true }]);
      return;
    }
    const { shares, prices } = fields(node, ["shares", "prices"], "an end"), parts = [];
    let [total, last] = [0n, null];
    list(shares, "shares").forEach((one, number) => {
      const said = list(one, "a share", 3), corner = points.place(said[0], "a corner"), share = whole(said[2], "a share", 1n);
      const bare = list(said[1], "bare").map((place) => points.place(place, "a bare corner"));
      bare.forEach((place, i) => { if (i > 0 && !isBefore(bare[i - 1], place)) malformed("bare corners are not strictly increasing"); });
      const compared = last && compareShares(last, [corner, bare]);
      if (last && compared >= 0) malformed("the shares are not strictly increasing");
      last = [corner, bare];
      if (![corner, ...bare].every((place) => points.isTested(place))) rejected("a share's corner is not tested");
      const data = points.held(corner), lacks = k - data, end = points.end(corner);
      const holds = ({ from, to, isMany }) => isMany && from.every((x, i) => !isLess(x, corner[i]) && !isLess(end[i], to[i]));
      if (lacks < 1n) rejected("the test box of a share lacks nothing");
      if (data === 0n && !path.some(holds)) rejected("the test box of a share may be empty");
      if (bare.some((place) => points.held(place) > 0n)) rejected("the test box of a bare corner holds data");
      parts.push({ from: corner, to: end, amount: k * share, share: number, isBare: false });
      for (const place of bare) parts.push({ from: place, to: points.end(place), amount: lacks * share, share: number, isBare: true });
      total += k * lacks * share;
    });
    wholes(prices, "prices", path.length, 0n).forEach((price, i) => {
      const { from, to, most, isMany } = path[i];
      parts.push({ from, to, amount: isMany ? price : -price, share: -1 - i, isBare: false });
      total += isMany ? price * (most + 1n) : -price * most;
    });
    if ((2n * BigInt(parts.length)) ** BigInt(points.axes) > LIMITS.patterns) beyond(`an end has ${parts.length} boxes`);
    if (countsMore(parts, denominator)) rejected(`a place counts more than ${denominator}`);
    prove(value, total, denominator);
  };
  read(tree, []);
}

/** -1, 0 or 1: how two shares stand to each other, by corner and bare corners. */
function compareShares([corner, bare], [other, others]) {
  const compare = (one, two) => (isBefore(one, two) ? -1 : isBefore(two, one) ? 1 : 0);
  if (compare(corner, other)) return compare(corner, other);
  for (let i = 0; i < bare.length && i < others.length; i++) if (compare(bare[i], others[i])) return compare(bare[i], others[i]);
  return Math.sign(bare.length - others.length);
}

// --------------------------------------------------------------------------------------------- the whole proof

const CELL_RULES = {
  cases: [["denominator", "reach", "whole", "cuts", "potentials", "tree"], checkCases],
  parts: [["parts"], checkParts],
  "row-cases": [["denominator", "sets", "tree"], checkRowCases],
  "own-bound": [[], checkOwnBound],
  "all-partitions": [[], checkAllPartitions],
};
const COLUMN_RULES = {
  "hitting-set": [["barriers", "denominator", "tree"], checkHittingSet],
  "own-bound": [[], checkOwnBoundOfColumns],
};
const DIAMETER_RULES = {
  "row-cases": [["denominator", "sets", "tree"], checkRowCases],
  "own-bound": [[], checkOwnBoundOfDiameters],
  "all-partitions": [[], checkAllPartitionsByDiameter],
};
const POINT_RULES = { "box-shares": [["denominator", "tree"], checkBoxShares] };
const GIVEN_RULES = { cases: [["denominator", "tree"], checkCasesOfPatterns] };
const RULES = {
  "given-patterns": GIVEN_RULES,
  "fake-points": POINT_RULES,
  "fake-boxes": POINT_RULES,
  "cell-suppression": CELL_RULES,
  "diameter-sum": DIAMETER_RULES,
  "attribute-suppression": COLUMN_RULES,
  "identifying-columns": COLUMN_RULES,
  "witness-columns": COLUMN_RULES,
  "isolating-columns": COLUMN_RULES,
};
const PROBLEMS = {
  "fake-points": ["k", "regime", "domain", "widths"],
  "fake-boxes": ["k", "regime", "domain"],
  "cell-suppression": ["principle"],
  "attribute-suppression": ["principle"],
  "identifying-columns": [],
  "witness-columns": ["k"],
  "isolating-columns": ["k", "share"],
  "diameter-sum": ["k"],
  "given-patterns": ["k", "patterns"],
};

/** Check a proof by one of the allowed rules; return the value that it proves. */
function checkRule(ground, proof, allowed, choice = null) {
  const rules = RULES[choice?.name ?? ground.name ?? "cell-suppression"];
  if (!(proof instanceof Map) || !proof.has("kind")) malformed("the proof is not an object with a kind");
  const kind = text(proof.get("kind"), "the kind of the proof");
  if (!Object.values(RULES).some((known) => Object.hasOwn(known, kind))) unknown(`"${kind}" is no rule of ${SCHEMA}`);
  if (!allowed.includes(kind)) malformed(`the rule ${kind} cannot stand here`);
  const [names, check] = rules[kind], data = fields(proof, ["kind", "value", ...names], `a proof by ${kind}`);
  whole(data.value, "the value", 0n);
  check(ground, data, choice);
  return data.value;
}

function readStatement(bytes) {
  if (bytes.length > LIMITS.proofBytes) beyond(`the proof has more than ${LIMITS.proofBytes} bytes`);
  const stated = decoded(bytes, "the proof"), another = /^\s*\{\s*"schema"\s*:\s*"(anoptima\/(?!proof\/)[^"\\]*)"/.exec(stated);
  if (another) unknown(`this file is no proof but an ${another[1]}; anoptima solve --proof FILE writes the proof`);
  const data = Json.read(stated);
  if (data instanceof Map && data.has("schema") && data.get("schema") !== SCHEMA) {
    unknown(`this program knows ${SCHEMA}, and the proof says ${data.get("schema")}; anoptima verify TABLE PROOF --newest FILE writes older ones anew`);
  }
  const { about, problem, table, claim, proof } = fields(data, ["schema", "about", "problem", "table", "claim", "proof"], "the file");
  if (!(about instanceof Map)) malformed("about is not an object");
  if (!(problem instanceof Map) || !problem.has("name")) malformed("the problem has no name");
  const name = text(problem.get("name"), "the problem's name");
  if (!Object.hasOwn(PROBLEMS, name)) unknown(`"${name}" is no problem of ${SCHEMA}`);
  const asked = fields(problem, ["name", ...PROBLEMS[name]], "the problem"), { principle = null, k = null } = asked;
  const share = name === "isolating-columns" ? fraction(asked.share, "the share") : null;
  if (share && (share[0] <= 0n || share[0] > share[1])) malformed("the share is not above 0 and at most 1");
  if (PROBLEMS[name].includes("k")) positive(k, "k of the problem");
  const { digest, quasi, sensitive, weights } = fields(table, ["digest", "quasi", "sensitive", "weights"], "the table's description");
  text(digest, "the digest");
  texts(list(sensitive, "sensitive").concat(list(quasi, "quasi")), "the list of columns");
  if (quasi.length === 0) malformed("there is no quasi-identifying column");
  list(weights, "weights", quasi.length).forEach((one) => {
    if (fraction(one, "a weight")[0] <= 0n) malformed("a weight is not positive");
  });
  const isOnPoints = RULES[name] === POINT_RULES;
  if (isOnPoints && (sensitive.length > 0 || weights.some(([a, b]) => a !== b))) malformed("points have no sensitive columns, and weights of 1");
  const bound = fraction(fields(claim, ["bound"], "the claim").bound, "the bound");
  return { name, asked, isOnPoints, principle, k, share, digest, quasi, sensitive, weights, bound, proof };
}

/**
 * Check a proof against a table and, if it is given, a release: all as bytes. Return what is proved, in words; throw
 * Refused. `progress` is called with the part of the work that is done.
 */
function check({ table: tableBytes, proof: proofBytes, release = null }, progress = () => {}) {
  const stated = readStatement(proofBytes);
  const table = readTable(tableBytes, stated.quasi, stated.sensitive, stated.name.endsWith("-columns"));
  if (digestOf(table, stated.isOnPoints) !== stated.digest) rejected("the digest is that of another table");
  if (stated.isOnPoints) {
    const points = new Points(table, stated.asked), value = checkRule(points, stated.proof, Object.keys(POINT_RULES));
    if (compareFractions([value, 1n], stated.bound) !== 0) rejected(`the proof proves ${value}, and the claim is ${written(stated.bound)}`);
    if (release) rejected(`${stated.name} has no release`);
    return [points.words(stated.bound)];
  }
  const principle = PROBLEMS[stated.name].includes("principle") ? new Principle(table, stated.principle) : null;
  const ground = new Ground(table.quasi, stated.weights, principle, table.rows, progress);
  const isGiven = stated.name === "given-patterns";
  const choice = stated.name === "cell-suppression" ? null : isGiven ? new Given(ground, stated.asked) : new Choice(ground, stated.name, stated.k, stated.share);
  if (principle) checkSatisfiable(ground);
  else if (isGiven) choice.checkSolvable();
  else if (stated.name === "diameter-sum") checkEnoughRows(ground, choice);
  else if (!choice.isSufficient(choice.all)) rejected("all columns together are not sufficient: there is no solution");
  const value = checkRule(ground, stated.proof, Object.keys(RULES[stated.name]), choice);
  const bound = reduced(value, ground.scale);
  if (compareFractions(bound, stated.bound) !== 0) rejected(`the proof proves ${written(bound)}, and the claim is ${written(stated.bound)}`);
  return [claimInWords(stated, table, principle), ...(release ? [checkRelease(release, stated, table, ground)] : [])];
}

const compareFractions = (one, other) => (isLess(one, other) ? -1 : isLess(other, one) ? 1 : 0);
const quoted = (names) => names.map((name) => `"${name}"`).join(", ");

function claimInWords({ name, k, share, weights, bound }, table, principle) {
  const isPlain = weights.every(([a, b]) => a === 1n && b === 1n), isCells = ["cell-suppression", "given-patterns"].includes(name);
  const columns = quoted(table.quasi.map((column) => column.name));
  const subject = {
    "cell-suppression": () => `Every release of this table that stars cells of ${columns} so that each group of equal rows has ${principle.words()}`,
    "attribute-suppression": () => `Every choice of columns among ${columns} without which each group of equal rows has ${principle.words()}`,
    "diameter-sum": () => `Every partition of this table's rows into groups of ${k} to ${2n * k - 1n} rows, by the diameters of the groups in ${columns},`,
    "given-patterns": () => `Every publication of this table as the given patterns of ${columns}, each for ${k} rows or more,`,
    "identifying-columns": () => `Every choice of columns among ${columns} in which any two rows differ that differ at all`,
    "witness-columns": () => `Every choice of columns among ${columns} in which fewer than ${k} rows are equal to some row`,
    "isolating-columns": () => `Every choice of columns among ${columns} in which a share of ${written(share)} of the rows or more equal fewer than ${k} rows each`,
  }[name]();
  const unit = isCells ? "stars" : "columns", prices = table.quasi.map((column, j) => `"${column.name}" ${written(weights[j])}`);
  const cost = isPlain ? `${written(bound)} ${unit} or more` : `${written(bound)} or more, where one of the ${unit} costs: ${prices.join(", ")}`;
  return `${subject} costs ${cost}. (${table.rows} rows.)`;
}

/** Check a release's cells and groups, and hold its cost against the bound; return words. */
function checkRelease(bytes, { name, quasi, sensitive, weights, bound }, table, ground) {
  const isCells = name === "cell-suppression";
  if (!isCells && name !== "attribute-suppression") rejected(`${name} has no release`);
  const csv = new Csv(bytes, "the release"), places = csv.find([...quasi, ...sensitive]);
  const columns = [...table.quasi, ...table.sensitive], images = quasi.map((column) => new Column(column));
  let rows = 0;
  for (; csv.next(); rows++) {
    if (rows === table.rows) rejected(`the release has more rows than the table's ${table.rows}`);
    columns.forEach((column, j) => {
      const cell = csv.cell(places[j]), isStar = j < quasi.length && cell === "*";
      const value = column.values[column.codes[rows]];
      if (!isStar && cell !== value) {
        const expected = `where the table has ${shortened(JSON.stringify(value))}; rows must be in the table's order`;
        rejected(`row ${rows + 1}, column "${column.name}" of the release has ${shortened(JSON.stringify(cell))} ${expected}`);
      }
      if (j < quasi.length) images[j].set(rows, cell);
    });
  }
  if (rows < table.rows) rejected(`the release has ${rows} rows and the table ${table.rows}`);
  const groups = vectors(images.map((image) => image.codes.subarray(0, rows)), rows), members = Array.from({ length: groups.count }, () => []);
  groups.of.forEach((group, row) => members[group].push(row));
  for (const group of members) {
    const violated = ground.principle.violated(group);
    if (violated) rejected(`the group of row ${group[0] + 1} of the release (${group.length} ${group.length === 1 ? "row" : "rows"}) has not ${violated.words()}`);
  }
  let cost = 0n;
  images.forEach((image, j) => {
    const star = image.numbers.get("*");
    let stars = 0;
    for (let row = 0; row < rows; row++) if (image.codes[row] === star) stars++;
    if (!isCells && stars > 0 && stars < rows) rejected(`the column "${image.name}" of the release is starred in part`);
    cost += ground.weights[j] * (isCells ? BigInt(stars) : BigInt(stars > 0 ? 1 : 0));
  });
  const paid = reduced(cost, ground.scale), gap = reduced(paid[0] * bound[1] - bound[0] * paid[1], paid[1] * bound[1]);
  if (gap[0] < 0n) rejected(`the release costs ${written(paid)}, less than the bound ${written(bound)}`);
  if (gap[0] === 0n) return `The release costs ${written(paid)}: it is optimal.`;
  return `The release costs ${written(paid)}: the least cost is from ${written(bound)} to ${written(paid)}, a gap of ${written(gap)}.`;
}

/** The verdict as lines of text, and the exit code; whatever goes wrong is a verdict. */
function judge(files, progress) {
  try {
    const [claim, ...more] = check(files, progress);
    return { code: VERDICTS.verified, verdict: "verified", lines: [`VERIFIED: ${claim}`, ...more] };
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    return { code: VERDICTS[refused.verdict], verdict: refused.verdict, lines: [`${refused.verdict.toUpperCase()}: ${refused.message}.`] };
  }
}

// --------------------------------------------------------------------------------- as a program, and in a browser

function runProgram() {
  const fs = require("node:fs");
  console.log(`check.js, SHA-256 ${new Sha256().update(fs.readFileSync(__filename)).hex()}`);
  const given = process.argv.slice(2), at = given.indexOf("--release");
  const [release] = at < 0 ? [null] : given.splice(at, 2).slice(1);
  if (given.length !== 2 || release === undefined || given.some((one) => one.startsWith("-"))) {
    console.error("usage: node check.js TABLE.csv PROOF.json [--release RELEASE.csv]");
    return 2;
  }
  const read = (path, most, name) => {
    if (fs.statSync(path).size > most) beyond(`${name} has more than ${most} bytes`);
    return fs.readFileSync(path);
  };
  try {
    const proof = read(given[1], LIMITS.proofBytes, "the proof"), table = read(given[0], LIMITS.tableBytes, "the table");
    const found = judge({ proof, table, release: release && read(release, LIMITS.tableBytes, "the release") });
    console.log(found.lines.join("\n"));
    return found.code;
  } catch (error) {
    if (error instanceof Refused) console.log(`${error.verdict.toUpperCase()}: ${error.message}.`);
    else if (error.code) console.error(`cannot read ${error.path ?? "a file"}: ${error.code}`);
    else throw error;
    return error instanceof Refused ? VERDICTS[error.verdict] : 2;
  }
}

/** In a worker: take this program's text and the files; say its SHA-256, how far the work is, then the verdict. */
function listen() {
  self.onmessage = async ({ data }) => {
    self.postMessage({ digest: new Sha256().update(new TextEncoder().encode(data.program)).hex() });
    const files = {}, most = { proof: LIMITS.proofBytes, table: LIMITS.tableBytes, release: LIMITS.tableBytes };
    try {
      for (const [name, file] of Object.entries(data.files)) {
        if (file.size > most[name]) beyond(`the ${name} has more than ${most[name]} bytes`);
        files[name] = new Uint8Array(await file.arrayBuffer());
      }
      let said = Date.now();
      const progress = (part) => {
        if (Date.now() - said < 100) return;
        said = Date.now();
        self.postMessage({ part });
      };
      self.postMessage(judge(files, progress));
    } catch (error) {
      const verdict = error instanceof Refused ? error.verdict : "stopped";
      self.postMessage({ code: VERDICTS[verdict] ?? 2, verdict, lines: [`${verdict.toUpperCase()}: ${error.message}.`] });
    }
  };
}

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) listen();
else if (typeof module === "object" && typeof require === "function") {
  module.exports = { judge, Sha256 };
  if (require.main === module) process.exitCode = runProgram();
}
