/**
 * Mistakes that the simulation must find: each a change of a module as it is loaded, so that the
 * program itself carries nothing of them.
 */
import { registerHooks } from "node:module";

export interface Plant {
  /** Of the sources. */
  readonly file: string;
  /** A text that stands in it once, and the text that takes its place. */
  readonly from: string;
  readonly to: string;
  /** The same of another place in the file. */
  readonly also?: readonly [from: string, to: string];
  /** A part of what the simulation says of it. */
  readonly found: RegExp;
  /** A seed that finds it soon; 1 when not given. */
  readonly seed?: number;
  /** SQLite unless the mistake can be made on a server alone. */
  readonly database?: "postgres";
}

/** Whether it is the turn of a mistake that is made now and then. */
const each = (turns: number) =>
  `((globalThis as { turn?: number }).turn = ((globalThis as { turn?: number }).turn ?? 0) + 1) % ${turns} === 0`;

const transactions = "src/store/transactions";

export const plants: Readonly<Record<string, Plant>> = {
  "an acknowledged write is lost": {
    file: `${transactions}/transactions.ts`,
    from: "await driver.commitTransaction(connection);",
    to: `if (settings !== readOnly && ${each(9)}) await driver.rollbackTransaction(connection); else await driver.commitTransaction(connection);`,
    seed: 5,
    found: /was acknowledged, and is not there|is not as it was acknowledged/,
  },
  "a write that is sent again is done again": {
    file: "src/service/api/service.ts",
    from: "if (key === undefined || call.dryRun) return",
    to: `if (key !== "" || call.dryRun) return`,
    found: /nobody was told of it|answered otherwise when it came again/,
  },
  "a key is forgotten when its server ends": {
    file: "src/store/store.ts",
    from: "await attempts.run(serverKey, () => prepareTables(db, dialect));",
    to: 'await attempts.run(serverKey, () => prepareTables(db, dialect));\n    await db.deleteFrom("idempotency").execute();',
    found: /nobody was told of it|answered otherwise when it came again/,
  },
  "the answer is kept in a transaction of its own": {
    file: "src/service/api/service.ts",
    from: "const answer = await action(tx);\n    await keepAnswer(call, tx, key, answer);",
    to: "const answer = await action(tx);",
    also: [
      "return call.writePart(working, { app, key });",
      `const done = await call.writePart(working);
  await call.writePart(async (tx) => {
    if ((await findAnswer(tx, app, key)) === undefined) await keepAnswer(call, tx, key, done);
  });
  return done;`,
    ],
    found: /nobody was told of it|answered otherwise when it came again/,
  },
  "a writer does not lock its organisation": {
    file: "src/store/dialects/postgres/postgres.ts",
    from: "$1 for update`",
    to: "$1`",
    found: /duplicate key|number|balance|answered 500/,
    database: "postgres",
  },
  "a commit does not wait for the disk": {
    file: "src/store/dialects/sqlite/sqlite.ts",
    from: "pragma synchronous = full",
    to: "pragma synchronous = normal",
    found: /are not on the disk/,
  },
  "a part file is left behind": {
    file: "src/service/books/file/make.ts",
    from: "  } finally {\n    removePart(partPath);",
    to: '  } finally {\n    closeSync(openSync(partPath, "a"));',
    seed: 2,
    found: /was left behind/,
  },
  "a transaction has no link in the chain": {
    file: `${transactions}/group-commit.ts`,
    from: "await use(org, (tx) => lock.writeSet.append(tx), lock);",
    to: `if (!(${each(11)})) await use(org, (tx) => lock.writeSet.append(tx), lock);`,
    found: /chain/,
  },
  "another writer in the way is answered 500": {
    file: "src/store/dialects/sqlite/sqlite.ts",
    from: '(code & 0xff) === lockedCode) return { is: "transient" };',
    to: "(code & 0xff) === lockedCode) return undefined;",
    found: /database is locked/,
  },
  "a balance is not updated": {
    file: "src/store/ledger/journals.ts",
    from: "await insertRows(tx, balanceInsertion, sums.rows);",
    to: `await insertRows(tx, balanceInsertion, ${each(7)} ? sums.rows.slice(1) : sums.rows);`,
    found: /balance/i,
  },
  "a posting has the wrong sign": {
    file: "src/store/ledger/journals.ts",
    from: "        account,\n        amount,\n        debit,",
    to: `        account,\n        ${each(40)} ? -amount : amount,\n        debit,`,
    seed: 2,
    found: /journal|balance/i,
  },
  "a tax is rounded down": {
    file: "src/ledger/money.ts",
    from: "if (smallest === 1) return multiplyDivide(amount, factor, divisor) as Cents;",
    to: "if (smallest === 1) return Math.floor((amount * Number(factor)) / Number(divisor)) as Cents;",
    seed: 4,
    found: /the tax of line \d+ is/,
  },
  "a day ends when it does in Greenwich": {
    file: "src/ledger/dates/timezones.ts",
    from: "const zone = zoneOf(timezone);\n  if (zone === undefined) {\n    throw",
    to: 'const zone = zoneOf("UTC");\n  if (zone === undefined) {\n    throw',
    found: /A sale of .* is of/,
  },
  "an allocation counts twice": {
    file: "src/service/payments/apply-credit.ts",
    from: "document.AmountCredited = (document.AmountCredited + amount) as Cents;",
    to: "document.AmountCredited = (document.AmountCredited + 2 * amount) as Cents;",
    seed: 4,
    found: /credited|due|allocat/i,
  },
  "a line of a bank statement is lost": {
    file: "src/service/bank/statements.ts",
    from: "for (const { key, facts } of added) {",
    to: "for (const { key, facts } of added.length > 2 ? added.slice(1) : added) {",
    seed: 3,
    found: /of a bank statement is not there/,
  },
  "a number is given twice": {
    file: "src/store/chain/sequences.ts",
    from: "await raiseSequence(tx, name, lastNumber + count);\n  return lastNumber + 1;",
    to: `if (!(${each(5)})) await raiseSequence(tx, name, lastNumber + count);\n  return lastNumber + 1;`,
    found: /counter|number/,
  },
  "a change is not told": {
    file: "src/store/outbox/events.ts",
    from: "const latestAt = Math.max(",
    to: `if (${each(6)}) return false;\n  const latestAt = Math.max(`,
    found: /Nothing told of the change/,
  },
  "changes are told in the wrong order": {
    file: "src/store/outbox/events.ts",
    from: '.orderBy("number")\n    .orderBy("resource_id")',
    to: '.orderBy("number", "desc")',
    found: /came after one of step/,
  },
  "a change that was undone is told": {
    file: "src/store/outbox/changes.ts",
    from: '{ watched: new Set(categories.split(",")), changes: new Map() }',
    to: '{ watched: new Set(categories.split(",")), changes: ((globalThis as { left?: Map<string, RecordChange> }).left ??= new Map()) }',
    also: [
      "if (moved.length === 0) return false;",
      "changes.clear();\n  if (moved.length === 0) return false;",
    ],
    found: /not made|not changed/,
  },
  "a plan is applied twice": {
    file: "src/service/plans/plans.ts",
    from: "if (earlierOne !== undefined) {",
    to: "if (earlierOne !== undefined && earlierOne.at < 0) {",
    also: ["await addAppliedPlan(tx, { id: PlanID, user, at });", ""],
    found: /Plans\/Apply was answered 500|applied/,
  },
  "a locked day is posted to": {
    file: "src/ledger/locks.ts",
    from: ".filter(({ lock }) => date <= lock)",
    to: ".filter(({ lock }) => date < lock)",
    seed: 4,
    found: /of a locked day was answered 200|was locked/,
  },
  "a date of a schedule is left out": {
    file: "src/service/send/repeating-invoices.ts",
    from: "const followingDate = nextDate(schedule, date);",
    to: "const followingDate = nextDate(schedule, nextDate(schedule, date) ?? date);",
    found: /Schedule .* had \d+ dates/,
  },
  "an idempotency key is good for every app": {
    file: "src/service/api/service.ts",
    from: "  const { app } = call.principal;\n  const working",
    to: '  const app = "any";\n  const working',
    also: [
      "  const { app } = call.principal;\n  const at = call.now();",
      '  const app = "any";\n  const at = call.now();',
    ],
    found: /The key of another app was answered/,
  },
  "the signature of a plan is not checked": {
    file: "src/service/plans/signature.ts",
    from: "if (isUnchanged && isEqual(",
    to: "if (plan.PlanID !== undefined || isEqual(",
    found: /A plan that was edited was answered/,
  },
  "credits are left out of the ageing of a contact": {
    file: "src/ledger/reports/contacts/aged.ts",
    from: "[total], [withheldSum, paid, credited]);",
    to: "[total], [withheldSum, paid]);",
    found: /the ageing of its contact says/,
  },
  "lock dates are changed without an audit entry": {
    file: "src/service/lookups/organisation.ts",
    from: 'return recordAct(tx, { ...act, kind: "lock-date.changed", changes: locks });',
    to: "return tx as never;",
    seed: 3,
    found: /the audit log does not say so|audit/,
  },
  "an undo forgets fields that post nothing": {
    file: "src/service/operations/reversals.ts",
    from: "const formerFields = { ...former, ...linesOf(taking) };",
    to: 'const formerFields = { ...omit(former, "Url"), ...linesOf(taking) };',
    found: /Url of an invoice was/,
  },
  "people who only read may write": {
    file: "src/service/request/permissions.ts",
    from: 'return power === "write" || (power === "read" && !isWrite);',
    to: 'return power === "write" || power === "read";',
    found: /A person whose role is (read-only|invoice-only) was answered/,
  },
  "reports are shown to people without reports": {
    file: "src/service/request/permissions.ts",
    from: 'if (access.area === "reports" && !principal.reports) {',
    to: 'if (access.area === "reports" && !principal.reports && writes) {',
    found: /whose role is standard-without-reports was answered/,
  },
  "a server answers what was so before another wrote": {
    file: `${transactions}/read-cache.ts`,
    from: "if (version !== this.#cachedVersion) this.#clear(version);",
    to: "this.#cachedVersion ??= version;",
    found: /and it is stored as of/,
  },
};

/** The texts that a mistake takes the place of, and those that it puts there. */
const editsOf = ({ from, to, also }: Plant): readonly (readonly [from: string, to: string])[] => [
  [from, to],
  ...(also === undefined ? [] : [also]),
];

/** Texts of a mistake that do not stand once in its file any more: it is to be planted anew. */
export function astray(name: string, source: string): readonly string[] {
  const edits = editsOf(plants[name] as Plant);
  return edits.map(([from]) => from).filter((from) => source.split(from).length !== 2);
}

/** Makes a mistake in all modules that are loaded from now on. @throws Error where there is none of the name */
export function plant(name: string): void {
  const planted = plants[name];
  if (planted === undefined) throw new Error(`There is no plant "${name}".`);
  const { file } = planted;
  const place = new URL(`../../${file}`, import.meta.url).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== place) return loaded;
      let source = String(loaded.source);
      const gone = astray(name, source);
      if (gone.length > 0) throw new Error(`${file} does not have once: ${gone.join(", ")}`);
      for (const [before, after] of editsOf(planted)) source = source.replace(before, () => after);
      return { ...loaded, source };
    },
  });
}
