/**
 * Lettering of customers and suppliers: one code on all lines of a control account that settle each
 * other in full, such as an invoice, its payments and a credit note. What is open bears no code, and
 * neither does what settles a balance brought forward.
 */
import type { Entry } from "./ledger/entry.ts";
import { controlledBy, type Ledger } from "./ledger/read-ledger.ts";

export interface Lettering {
  /** `AAA`, `AAB`, … in the order in which the last line of each code was posted. */
  readonly code: string;
  /** Date of the latest of its lines, `YYYY-MM-DD`. */
  readonly date: string;
}

/** Sum, number of lines and latest date of documents that settle each other. */
interface LetteredGroup {
  balance: number;
  lineCount: number;
  date: string;
  /** Number of the journal that was posted last. */
  last: number;
}

/** The lettering of the control account lines of an entry. */
export function letteringOf(ledger: Ledger): (entry: Entry) => Lettering | undefined {
  const nextById = new Map<string, string>();
  /** The representative of a group of documents that settle each other. */
  const rootOf = (id: string): string => {
    const next = nextById.get(id);
    if (next === undefined) return id;
    const root = rootOf(next);
    nextById.set(id, root);
    return root;
  };
  const controlLines: [entry: Pick<Entry, "number" | "date">, document: string, amount: number][] =
    [];
  for (const { number, date, documents: [first, ...others] = [], lines } of ledger.entries()) {
    if (first === undefined) continue;
    for (const other of others) {
      if (rootOf(other) !== rootOf(first)) nextById.set(rootOf(other), rootOf(first));
    }
    for (const { account, amount } of lines) {
      if (isControl(ledger, account)) controlLines.push([{ number, date }, first, amount]);
    }
  }
  const groupByRoot = new Map<string, LetteredGroup>();
  for (const [{ number, date }, document, amount] of controlLines) {
    const root = rootOf(document);
    const knownGroup = groupByRoot.get(root) ?? { balance: 0, lineCount: 0, date, last: 0 };
    groupByRoot.set(root, {
      balance: knownGroup.balance + amount,
      lineCount: knownGroup.lineCount + 1,
      date: date > knownGroup.date ? date : knownGroup.date,
      last: number,
    });
  }
  const settled = [...groupByRoot]
    .filter(([, { balance, lineCount }]) => balance === 0 && lineCount > 1)
    .sort(([, first], [, second]) => first.last - second.last);
  const letterByRoot = new Map(
    settled.map(([root, { date }], at) => [root, { code: codeOf(at), date }]),
  );
  return ({ documents: [first] = [] }) =>
    first === undefined ? undefined : letterByRoot.get(rootOf(first));
}

/** Whether the lines of an account are lettered. */
export const isControl = ({ accounts }: Ledger, account: string): boolean =>
  controlledBy(accounts.get(account)?.system) !== undefined;

/** The code at a place: three letters of the alphabet as digits, four when these are used up. */
function codeOf(groupIndex: number, width = 3): string {
  const count = 26 ** width;
  if (groupIndex >= count) return codeOf(groupIndex - count, width + 1);
  const digits = Array.from({ length: width }, (_, at) => Math.floor(groupIndex / 26 ** at) % 26);
  return String.fromCharCode(...digits.reverse().map((digit) => 65 + digit));
}
