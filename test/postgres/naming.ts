/**
 * Whether a statement names the organisation for each table that is keyed by one.
 *
 * It must do so for every table by itself, by a value or by the organisation of another table of the
 * same statement: only then can a database whose rows are spread by organisation answer it at one
 * place, and only then does it see no other's rows.
 */

/** A query within a statement: its own words, with those of the queries inside it left out. */
interface Block {
  text: string;
}

/** What starts or ends the list of tables of a query. */
const ends =
  /\b(where|group by|order by|limit|union|returning|on conflict|set|for update|values)\b/;

/**
 * The tables for which `statement` names no organisation, in the order in which it reads them.
 *
 * @param keyed  the tables that have an `org`
 */
export function unnamed(statement: string, keyed: ReadonlySet<string>): string[] {
  const text = plain(statement);
  if (/^(begin|commit|rollback|savepoint|release|set|fetch|close|create|alter|drop)\b/.test(text)) {
    return [];
  }
  return blocksOf(text).flatMap((block) => unnamedIn(block, keyed));
}

/** The tables that `statement` reads or changes, besides those that it inserts into. */
export function tablesIn(statement: string): string[] {
  return blocksOf(plain(statement)).flatMap(({ text }) => tablesOf(text).map(({ table }) => table));
}

/** In lower case, with one space between words, and nothing in quotes that could pass for a word. */
function plain(statement: string): string {
  return statement
    .replace(/--.*$/gm, " ")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/"(\w+)"/g, "$1")
    .replace(/"[^"]*"/g, "quoted")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/^declare \w+ no scroll cursor for /, "");
}

/** The statement and every query in parentheses, each with the words that are its own. */
function blocksOf(text: string): Block[] {
  const outer: Block = { text: "" };
  const all = [outer];
  const open: Block[] = [outer];
  const isQuery: boolean[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    const top = open.at(-1) as Block;
    if (letter === "(") {
      const begins = /^\( ?(select|with|insert|update|delete)\b/.test(text.slice(at, at + 12));
      isQuery.push(begins);
      if (begins) {
        const block: Block = { text: "" };
        top.text += "()";
        open.push(block);
        all.push(block);
        continue;
      }
    }
    if (letter === ")" && isQuery.pop() === true) {
      open.pop();
      continue;
    }
    (open.at(-1) as Block).text += letter;
  }
  // The halves of a union are queries of their own.
  return all.flatMap((block) =>
    withoutAssignments(block.text)
      .split(/\b(?:union all|union|intersect|except)\b/)
      .map((half) => ({ text: half })),
  );
}

/** What a column is set to says nothing about which rows are. */
function withoutAssignments(text: string): string {
  return text.replace(
    /^( ?update \w+(?: as \w+)? set ).*?(?=\bfrom\b|\bwhere\b|\breturning\b|$)/,
    "$1",
  );
}

function unnamedIn({ text }: Block, keyed: ReadonlySet<string>): string[] {
  const insert = /^\s*insert into (\w+)(?: as \w+)? ?\(([^)]*)\)/.exec(text);
  if (insert !== null && keyed.has(insert[1] ?? "")) {
    const isNamed = /^\s*org\b/.test(insert[2] ?? "");
    const rest = text.slice(insert[0].length);
    return [...(isNamed ? [] : [insert[1] as string]), ...unnamedIn({ text: rest }, keyed)];
  }
  const tables = tablesOf(text).filter(({ table }) => keyed.has(table));
  const missing = tables.filter(({ table, alias }) => {
    const called = alias ?? table;
    const owned = new RegExp(
      `(?<![\\w.])${called}\\.org (?:=|in\\b)|= ${called}\\.org\\b|\\(${called}\\.org, [^)]*\\) (?:=|in\\b)`,
    );
    if (owned.test(text) || /\busing \(org\b/.test(text)) return false;
    return (
      tables.length > 1 ||
      !/(?<![\w.])org (?:=|in\b)|(?<![\w.])\(org, [^)]*\) (?:=|in\b)/.test(text)
    );
  });
  return missing.map(({ table }) => table);
}

interface Named {
  readonly table: string;
  readonly alias: string | undefined;
}

const word =
  "(\\w+)(?: (?:as )?(?!on\\b|join\\b|left\\b|inner\\b|cross\\b|where\\b|set\\b|using\\b)(\\w+))?";

/** The tables that a query reads or changes, and what it calls them. */
function tablesOf(text: string): Named[] {
  const found: Named[] = [];
  const add = (item: string) => {
    const match = new RegExp(`^ ?${word}`).exec(item.replace(/^ ?(only|lateral) /, ""));
    if (match?.[1] !== undefined) found.push({ table: match[1], alias: aliasOf(match[2]) });
  };
  for (const { index } of text.matchAll(/\b(?:from|update|using)\b(?! ?\()/g)) {
    const list = text.slice(index).replace(/^\w+/, "");
    const end = ends.exec(list)?.index ?? list.length;
    for (const item of list.slice(0, end).split(/,(?![^(]*\))|\bjoin\b/)) add(item);
  }
  return found;
}

function aliasOf(word: string | undefined): string | undefined {
  return word === undefined || ends.test(word) || word === "for" ? undefined : word;
}
