/** Steps of sales and statements: batches, sales that are only tried, files, and lines of banks. */
import type { Json } from "../service/fixture.ts";
import { isRefused } from "./acknowledged.ts";
import { clientOf } from "./clients.ts";
import type { Simulation } from "./simulation.ts";
import type { Client, Step } from "./steps.ts";

/** Several sales in one request, with one that is refused. */
export async function sellSeveral(
  simulation: Simulation,
  client: Client,
  amounts: readonly number[],
): Promise<void> {
  const given = await clientOf(simulation, client);
  const Invoices = amounts.map((cents) => simulation.sale(cents));
  const refused = simulation.sale(100, { CurrencyCode: "XXX" });
  const query = { SummarizeErrors: "false" };
  const sent = { Invoices: [...Invoices, refused] };
  const { status, json } = await given.ask("PUT", "/Invoices", sent, { query });
  if (status !== 200) return;
  const kept: Json[] = json.Invoices.filter((each: Json) => !isRefused(each));
  if (kept.length !== amounts.length)
    simulation.faults.push(`Of a batch ${kept.length} were kept.`);
}

/** Has a sale tried, of which nothing is kept. */
export async function tryToSell(
  simulation: Simulation,
  client: Client,
  cents: number,
): Promise<void> {
  const given = await clientOf(simulation, client);
  const before = await simulation.links();
  await given.ask("PUT", "/Invoices", simulation.sale(cents), { headers: { "x-dry-run": "true" } });
  if ((await simulation.links()) !== before)
    simulation.faults.push("A dry run has written something.");
}

/** Puts a file to a document and a note into its history, and perhaps takes the file off again. */
export async function attach(
  simulation: Simulation,
  { client, which, bytes, removes }: Extract<Step, { does: "attach" }>,
) {
  const id = simulation.invoices[which % Math.max(1, simulation.invoices.length)];
  if (id === undefined) return;
  const given = await clientOf(simulation, client);
  const path = `/Invoices/${id}/Attachments/slip-${simulation.step}.txt`;
  const content = "x".repeat(bytes);
  const { status } = await given.ask("PUT", path, content);
  if (status === 200) {
    const { text } = await given.ask("GET", path);
    if (text !== content) simulation.faults.push(`A file of ${bytes} bytes has ${text.length}.`);
  }
  const note = { HistoryRecords: [{ Details: `Step ${simulation.step}` }] };
  await given.ask("PUT", `/Invoices/${id}/History`, note);
  if (removes) await given.ask("DELETE", path);
}

/** Sells, and takes a part of it back by a credit note. */
export async function creditPart(simulation: Simulation): Promise<void> {
  const given = await clientOf(simulation, { server: 0, via: "process" });
  const sold = await given.ask("PUT", "/Invoices", simulation.sale(9000));
  const note = simulation.sale(2500, { Type: "ACCRECCREDIT" });
  const noted = await given.ask("PUT", "/CreditNotes", note);
  if (sold.status !== 200 || noted.status !== 200) return;
  const [{ InvoiceID }] = sold.json.Invoices;
  const [{ CreditNoteID }] = noted.json.CreditNotes;
  const allocation = { Amount: 20, Invoice: { InvoiceID } };
  await given.ask("PUT", `/CreditNotes/${CreditNoteID}/Allocations`, allocation);
}

/** Imports lines that no statement before had. */
export async function importStatement(
  simulation: Simulation,
  client: Client,
  lines: readonly number[],
): Promise<void> {
  const given = await clientOf(simulation, client);
  const sent = lines.map((cents, at) => ({
    Key: `${simulation.step} ${at}`,
    Date: simulation.today(),
    // Lines of the same days and amounts would be taken for those of a statement before.
    Amount: (cents < 0 ? -1 : 1) * (simulation.step + (at + 1) / 100),
    Payee: "Own",
  }));
  const statement = { BankAccount: { Code: "090" }, StatementLines: sent };
  const { status, json } = await given.ask("PUT", "/Extensions/BankStatements", statement);
  if (status !== 200) return;
  const keys = sent.map(({ Key }) => Key);
  for (const key of keys) simulation.acknowledged.statementLines.add(key);
  simulation.acknowledged.statements.set(json.BankStatements[0].BankStatementID, keys);
}
