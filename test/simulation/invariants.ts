/** What must hold after every step. */
import { existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type ReportName, reports } from "../../src/resources/report.ts";
import { type SealedLink, verifyBook } from "../../src/service/books/book.ts";
import { headOf } from "../../src/store/chain/stored.ts";
import { storedResources, tableOf } from "../../src/store/schema/tables.ts";
import type { Tx } from "../../src/store/tx/tx.ts";
import { textOf } from "../../src/wire/body.ts";
import type { Transport } from "../../src/wire/http.ts";
import type { Json } from "../service/fixture.ts";
import { recordsOf, updatedAt } from "./acknowledged.ts";
import { faultsOfFigures } from "./figures.ts";
import { faultsOfRoles } from "./people.ts";
import type { Server } from "./server.ts";
import type { Simulation } from "./simulation.ts";

/** Lists and reports that every server must answer alike, one after the other. */
const looks = [
  "/Invoices?page=1&order=UpdatedDateUTC DESC",
  "/Contacts?page=1",
  "/Accounts",
  "/Reports/TrialBalance?date=2027-12-31",
  "/Payments?page=1&order=UpdatedDateUTC DESC",
  "/Items",
] as const;

/** Reports, of which every server must answer one of them alike after each step. */
const reportNames = (Object.keys(reports) as ReportName[]).filter(
  // Those of a contact or an account are looked at by themselves.
  (name) => !/ByContact$|^StatementOfAccount$|^BankStatement$/.test(name),
);

/** Records whose ids no answer tells: lines of statements, whose keys are compared, and the log. */
const untold: ReadonlySet<string> = new Set(["bank_statement_line", "operation", "audit_entry"]);

/** How often, and how long at a time, programs are waited for: to sync what they write, to be back. */
const waitsMax = 400;
const waitMs = 25;

/** Files that a book has beside it, and its backup, which is read without any. */
const beside = /^books\.(acct(-wal|-shm|-serve)?|outbox)$|^a\.backup$/;

/** Steps from one seal to the next, and how many of the last ones are kept beside the first. */
const sealedEvery = 9;
const sealsMax = 12;

export class Invariants {
  readonly #rates: ReadonlyMap<string, number>;
  /** Links of the chain that were sealed, oldest first: the book proves one of them at each look. */
  readonly #seals: SealedLink[] = [];
  /** Links of the chain, and records that were changed, at the last check. */
  #links = 0;
  #changed = 0;

  constructor(rates: ReadonlyMap<string, number>) {
    this.#rates = rates;
  }

  /** Takes the book as it is for known. */
  async begin({ checker, acknowledged }: Simulation): Promise<void> {
    await checker.store.read(checker.org, async (tx) => {
      for (const id of (await rowsIn(tx)).keys()) acknowledged.ids.add(id);
      this.#links = (await headOf(tx)).number;
      this.#seals.push({ ...(await headOf(tx)), organisationId: checker.tenant });
    });
  }

  /** A sentence for each thing that does not hold. */
  async check(simulation: Simulation, step: number): Promise<string[]> {
    const { checker } = simulation;
    const sealed = this.#seals[step % this.#seals.length];
    const faults = [...(await verifyBook(checker, sealed)).faults];
    await checker.store.read(checker.org, async (tx) => {
      const rows = await rowsIn(tx);
      faults.push(...(await this.#records(simulation, tx, rows, step)));
      faults.push(...(await numbersTwice(tx)));
      faults.push(...(await datesMissed(tx)));
      faults.push(...(await shownAsStored(simulation, rows)));
    });
    for (const document of simulation.acknowledged.documents.splice(0)) {
      faults.push(...faultsOfFigures(document, this.#rates));
    }
    faults.push(...(await looksAlike(simulation, step)));
    faults.push(...(await faultsOfRoles(simulation, step)));
    faults.push(...(await agedWrongly(simulation, step)));
    faults.push(...leftovers(simulation));
    faults.push(...(await locked(simulation)));
    faults.push(...(await unsynced(simulation)));
    return faults;
  }

  /** Acknowledged records are there as they were last told of, and no others. */
  async #records(
    { acknowledged, checker }: Simulation,
    tx: Tx,
    rows: ReadonlyMap<string, Found>,
    step: number,
  ): Promise<string[]> {
    const faults: string[] = [];
    // Servers make what is due by themselves, and what one made that was killed is told to nobody.
    for (const id of await scheduled(tx)) acknowledged.ids.add(id);
    for (const [id, updated] of acknowledged.made) {
      const row = rows.get(id);
      if (row === undefined) faults.push(`Record ${id} was acknowledged, and is not there.`);
      else if (row.updated !== undefined && row.updated < updated) {
        faults.push(`The ${row.table} ${id} is not as it was acknowledged to be.`);
      }
    }
    for (const [id, { table }] of rows) {
      if (acknowledged.adopts || untold.has(table)) acknowledged.ids.add(id);
      if (acknowledged.ids.has(id)) continue;
      faults.push(`The ${table} ${id} is there, and nobody was told of it.`);
    }
    acknowledged.adopts = false;
    const keys = await sql<{ key: string }>`
      select line_key as "key" from bank_statement_line where org = ${tx.org}`.execute(tx.db);
    const there = new Set(keys.rows.map(({ key }) => key));
    const told = acknowledged.statementLines;
    for (const key of told.symmetricDifference(there)) {
      const how = there.has(key) ? "there, and nobody was told of it" : "not there";
      faults.push(`Line ${key} of a bank statement is ${how}.`);
    }
    const head = await headOf(tx);
    const { number } = head;
    if (step % sealedEvery === 0) {
      this.#seals.push({ ...head, organisationId: checker.tenant });
      if (this.#seals.length > sealsMax) this.#seals.splice(1, 1);
    }
    if (number === this.#links && acknowledged.changed > this.#changed) {
      faults.push("Something was changed, and the chain has no link of it.");
    }
    this.#links = number;
    this.#changed = acknowledged.changed;
    return faults;
  }
}

interface Found {
  readonly table: string;
  readonly updated: number | undefined;
}

/** All records by their ids. */
async function rowsIn(tx: Tx): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  for (const resource of storedResources) {
    const table = tableOf(resource);
    const id = table.column(resource.id);
    if (id === undefined || resource.fields[resource.id]?.kind !== "id") continue;
    const updated = table.column("UpdatedDateUTC");
    const time = updated === undefined ? sql`null` : sql.ref(updated.name);
    const { rows } = await sql<{ id: string; updated: number | null }>`
      select ${sql.ref(id.name)} as id, ${time} as updated
      from ${sql.table(table.name)} where org = ${tx.org}`.execute(tx.db);
    for (const row of rows) {
      found.set(row.id, {
        table: table.name,
        updated: row.updated === null ? undefined : Number(row.updated),
      });
    }
  }
  return found;
}

async function numbersTwice(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from document where org = ${tx.org} and number is not null
    and type in ('ACCREC', 'ACCRECCREDIT') and status not in ('DELETED', 'VOIDED') group by type, number having count(*) > 1`.execute(
    tx.db,
  );
  return rows.map(({ number }) => `Number ${number} was given twice.`);
}

/** InvoiceIDs that were made by schedules. */
async function scheduled(tx: Tx): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select invoice_id as id from repeating_invoice_date where org = ${tx.org}`.execute(tx.db);
  return rows.map(({ id }) => id);
}

const weekMs = 7 * 86_400_000;

/** Every week of a schedule up to its next date has its invoice, once. */
async function datesMissed(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
    invoices: number;
    dates: number;
    first: string;
    next: string;
  }>`
    select t.id, t.next_date as next, min(d.date) as first, count(d.date) as dates,
      (select count(*) from document i where i.org = t.org and i.repeating_invoice_id = t.id) as invoices
    from repeating_invoice t join repeating_invoice_date d
      on d.org = t.org and d.repeating_invoice_id = t.id
    where t.org = ${tx.org} and t.next_date is not null group by t.org, t.id, t.next_date`.execute(
    tx.db,
  );
  return rows.flatMap(({ id, first, next, ...counts }) => {
    const wanted = Math.round((Date.parse(next) - Date.parse(first)) / weekMs);
    const [dates, invoices] = [Number(counts.dates), Number(counts.invoices)];
    if (dates === wanted && invoices === wanted) return [];
    return [`Schedule ${id} had ${wanted} dates, and made ${invoices} invoices for ${dates}.`];
  });
}

async function ask(handle: Transport, look: string): Promise<Json[]> {
  const url = new URL(look, "http://acct.example");
  const { body } = await handle({
    method: "GET",
    path: url.pathname,
    query: [...url.searchParams],
    headers: { accept: "application/json" },
  });
  return recordsOf(await textOf(body));
}

/**
 * Asks a server that may be killed meanwhile; the workers of one that has several are begun anew.
 *
 * @returns undefined where it is dead
 */
async function shownBy(server: Server, look: string): Promise<Json[] | undefined> {
  for (let times = 0; ; times += 1) {
    try {
      return await ask(server.inProcess, look);
    } catch (error) {
      if (server.isDead()) return undefined;
      if (server.met() === 0 || times >= waitsMax) throw error;
      await sleep(waitMs);
    }
  }
}

/** A contact's ageing shows of each document what the document itself says is due. */
async function agedWrongly({ checker }: Simulation, step: number): Promise<string[]> {
  const documents = await ask(checker.transport, sales);
  const own = documents.filter(({ CurrencyRate }) => CurrencyRate === 1);
  // The contacts of documents with credits are looked at first: others have less to go wrong.
  const credited = own.filter(({ AmountCredited }) => AmountCredited > 0);
  const looked = step % 2 === 0 && credited.length > 0 ? credited : own;
  const contact = looked[step % looked.length]?.Contact.ContactID;
  if (contact === undefined) return [];
  const path = `/Reports/AgedReceivablesByContact?contactId=${contact}&date=2099-12-31`;
  const [report] = await ask(checker.transport, path);
  const rows = (report.Rows as Json[]).flatMap((each) => each.Rows ?? []);
  const due = new Map<string, string>();
  for (const { Cells } of rows) due.set(Cells[1].Value, Cells.at(-1).Value);
  return own.flatMap(({ Contact, InvoiceNumber: number, AmountDue }) => {
    const aged = due.get(number);
    if (Contact.ContactID !== contact || Number(aged) === AmountDue) return [];
    return [`${number} has ${AmountDue} due, and the ageing of its contact says ${aged}.`];
  });
}

/** Sales that count, newest first. */
const sales = `/Invoices?page=1&order=UpdatedDateUTC DESC&where=${encodeURIComponent(
  'Type=="ACCREC" AND (Status=="AUTHORISED" OR Status=="PAID")',
)}`;

/** As text, without the moment at which a report was made. */
const reading = (records: readonly Json[]): string =>
  JSON.stringify(records, (name, value) =>
    name === "UpdatedDateUTC" && records[0]?.Rows !== undefined ? undefined : value,
  );

async function looksAlike(simulation: Simulation, step: number): Promise<string[]> {
  // Each twice in a row, so that a second answer may come from a cache.
  const turn = Math.floor(step / 2);
  const report = `/Reports/${reportNames[turn % reportNames.length]}`;
  const faults = [];
  for (const look of [looks[turn % looks.length] as string, report]) {
    faults.push(...(await looksLikeTheBook(simulation, look)));
  }
  return faults;
}

async function looksLikeTheBook({ checker, running }: Simulation, look: string): Promise<string[]> {
  const faults: string[] = [];
  const wanted = reading(await ask(checker.transport, look));
  for (const [at, server] of running.entries()) {
    if (server.isArmed()) continue;
    const shown = await shownBy(server, look);
    if (shown !== undefined && reading(shown) !== wanted)
      faults.push(`Server ${at + 1} answers ${look} otherwise than the book.`);
  }
  if (look.includes("TrialBalance")) {
    const [debit, credit] =
      /"Total".*?"Value":"([\d.]*)".*?"Value":"([\d.]*)"/.exec(wanted)?.slice(1) ?? [];
    if (debit !== credit) faults.push(`The trial balance comes to ${debit} and ${credit}.`);
  }
  return faults;
}

/**
 * What was written is on the disk. A server that is a program of its own has jobs and deliveries, which
 * it may be writing just now: it is given time to end that.
 */
async function unsynced({ database: { disk }, isOfPrograms }: Simulation): Promise<string[]> {
  if (disk === undefined) return [];
  for (let times = 0; isOfPrograms && disk.get("unsynced") > 0; times += 1) {
    if (times >= waitsMax) break;
    await sleep(waitMs);
  }
  const count = disk.get("unsynced");
  return count > 0 ? [`${count} files were written, and are not on the disk.`] : [];
}

/** Records that every server is asked for, those that were changed last. */
const shownMax = 3;

/** Every server shows records as they are stored by now, whoever wrote them. */
async function shownAsStored(
  { running, acknowledged: { addresses } }: Simulation,
  rows: ReadonlyMap<string, Found>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, path] of [...addresses].slice(-shownMax)) {
    for (const [at, server] of running.entries()) {
      if (server.isArmed()) continue;
      const records = await shownBy(server, path);
      if (records === undefined) continue;
      const shown = updatedAt(records[0]);
      const stored = rows.get(id)?.updated;
      if (shown === stored) continue;
      faults.push(
        `Server ${at + 1} shows ${path} as of ${shown}, and it is stored as of ${stored}.`,
      );
    }
  }
  return faults;
}

function leftovers({ database: { folder } }: Simulation): string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  const strange = readdirSync(folder).filter((name) => !beside.test(name));
  return strange.map((name) => `${name} was left behind.`);
}

/** Whether nobody has kept the lock of the book: a write waits for it a minute at most. */
async function locked({ checker }: Simulation): Promise<string[]> {
  return checker.store
    .write(checker.org, async () => undefined, { dryRun: true })
    .then(() => [])
    .catch((error: Error) => [`The book cannot be written: ${error.message}`]);
}
