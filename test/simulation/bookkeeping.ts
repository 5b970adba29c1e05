/** Steps of bookkeepers: changes that are planned, taken back or locked out, assets, and schedules. */
import { type Business, type Step as BusinessStep, take } from "../service/business.ts";
import type { Answer, Json, World } from "../service/fixture.ts";
import { clientOf } from "./clients.ts";
import { undoSilent } from "./people.ts";
import type { Simulation } from "./simulation.ts";
import type { AssetDeed, Step } from "./steps.ts";

type Taken<Does extends Step["does"]> = Extract<Step, { does: Does }>;

const plansPath = "/Extensions/Plans";
const operationsPath = "/Extensions/Operations";
const assetsPath = "/Extensions/Assets";
const settingsPath = "/Organisation/Settings";
/** After every day of a simulation. */
const farOff = "2099-12-31";
const dayMs = 86_400_000;

/** The day so many days before another. */
const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);

/** The book past all servers, which meets no fault. */
async function read(
  { checker }: Simulation,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const headers = { accept: "application/json" };
  const { body } = await checker.transport({
    method: "GET",
    path,
    query: Object.entries(query),
    headers,
  });
  return JSON.parse(String(body));
}

/** A plan as its file has it: without what its requests were answered. */
const filed = ({ Answers: _, ...plan }: Json): Json => plan;

/** Names a request that was answered as none may be. */
function unexpected(simulation: Simulation, name: string, { status, text }: Answer): void {
  if (status !== 200 && status !== 400) {
    simulation.faults.push(`${name} was answered ${status}: ${text}`);
  }
}

// --- plans -----------------------------------------------------------------------------------

/** A sale is planned, perhaps overtaken by another, and then applied by two at the same time. */
export async function applyPlan(
  simulation: Simulation,
  { client, other, cents, isOvertaken }: Taken<"plan">,
  name: string,
): Promise<void> {
  const { faults } = simulation;
  const [given, second] = [await clientOf(simulation, client), await clientOf(simulation, other)];
  const sale = simulation.sale(cents, { Reference: name });
  const before = await simulation.links();
  const Requests = [
    {
      Method: "PUT",
      Path: "/Invoices",
      MediaType: "application/json",
      Body: JSON.stringify(sale),
    },
  ];
  const notKept = { query: { keep: "false" } };
  const made = await given.ask("POST", plansPath, { Command: name, Requests }, notKept);
  unexpected(simulation, "A plan", made);
  if ((await simulation.links()) !== before)
    faults.push("A plan that was made has written something.");
  if (made.status !== 200) return;
  if (isOvertaken) await second.ask("PUT", "/Invoices", simulation.sale(cents + 1));
  const plan = filed(made.json.Plans[0]);
  await applyEdited(simulation, second, plan);
  const answers = await Promise.all(
    [given, second].map((each) => each.ask("POST", `${plansPath}/Apply`, plan)),
  );
  for (const answer of answers) unexpected(simulation, "A plan to apply", answer);
  const applied = answers.filter(({ status }) => status === 200);
  // The first sale to a customer changes them, and so what a plan of another rests on.
  if (applied.length < answers.length && !isOvertaken) {
    faults.push(`A plan was refused: ${answers.find(({ status }) => status !== 200)?.text}`);
  }
  const moments = new Set(applied.map(({ json }) => json.Plans[0].AppliedAtUTC));
  if (moments.size > 1) faults.push("A plan was applied at two moments.");
  const { Invoices } = await read(simulation, "/Invoices", {
    where: `Reference=="${name}"`,
    page: "1",
  });
  if (Invoices.length !== moments.size) {
    faults.push(
      `Of a plan that was applied ${moments.size} times ${Invoices.length} sales are there.`,
    );
  }
}

/** A plan that was edited on its way is refused, be it what it does or who is said to have made it. */
async function applyEdited(simulation: Simulation, given: World, plan: Json): Promise<void> {
  const [{ Body, ...request }] = plan.Requests;
  const Reference = "Edited";
  const Requests = [{ ...request, Body: JSON.stringify({ ...JSON.parse(Body), Reference }) }];
  for (const edit of [{ Requests }, { MadeBy: "Somebody Else" }]) {
    const { status } = await given.ask("POST", `${plansPath}/Apply`, { ...plan, ...edit });
    if (status !== 400) simulation.faults.push(`A plan that was edited was answered ${status}.`);
  }
}

// --- taking back -----------------------------------------------------------------------------

/** Operations among which one is chosen: most of those before have others rest on them. */
const lastOperations = 6;

const logged = async (simulation: Simulation, pageSize: number): Promise<Json[]> => {
  const query = { order: "Number DESC", page: "1", pageSize: String(pageSize) };
  return (await read(simulation, operationsPath, query)).Operations;
};

/** The number of the last operation. */
export async function lastOperation(simulation: Simulation): Promise<number> {
  return (await logged(simulation, 1))[0]?.Number ?? 0;
}

/** Takes one of the last operations back, and perhaps that as well, which leaves the sums as they were. */
export async function undo(
  simulation: Simulation,
  { client, which, isDoneAgain }: Taken<"undo">,
): Promise<void> {
  const given = await clientOf(simulation, client);
  const all = await logged(simulation, lastOperations);
  const own = all.filter(({ Number: at }) => at > simulation.firstOperation);
  const chosen = own[which % Math.max(1, own.length)];
  if (chosen === undefined) return;
  const isLast = chosen === own[0];
  const before = await sums(simulation, isLast);
  const undone = await undoOne(simulation, given, chosen.OperationID);
  if (undone !== undefined) {
    const [last] = await logged(simulation, 1);
    if (last?.Undoes !== undone) {
      simulation.faults.push(`Operation ${undone} was undone, and the log does not end with that.`);
    } else if (isDoneAgain && (await undoOne(simulation, given, last.OperationID))) {
      const after = await sums(simulation, isLast);
      if (after !== before) {
        simulation.faults.push(
          `Operation ${chosen.Number} (${chosen.Summary}) was undone and done again, and the sums are ${after}, not ${before}.`,
        );
      }
    }
  }
  // A lock date may have come back.
  const { Organisations } = await read(simulation, "/Organisation");
  if (Organisations[0].PeriodLockDate !== undefined) await lock(given, "");
  await undoSilent(simulation, client, which, async (asked) => {
    const [last] = await logged(simulation, 1);
    return last && undoOne(simulation, asked, last.OperationID);
  });
}

/**
 * Takes an operation back.
 *
 * @returns the one that was: what was done again is taken back where it stands now; undefined where it is refused
 */
async function undoOne(
  simulation: Simulation,
  given: World,
  id: string,
): Promise<string | undefined> {
  const planned = await given.ask("POST", `${operationsPath}/${id}/Undo`, {});
  unexpected(simulation, "What takes an operation back", planned);
  if (planned.status !== 200) return undefined;
  const plan = filed(planned.json.Plans[0]);
  const applied = await given.ask("POST", `${plansPath}/Apply`, plan);
  if (applied.status === 200) return plan.Undoes;
  simulation.faults.push(`What takes an operation back was refused: ${applied.text}`);
  return undefined;
}

/** Accounts whose sums move when goods are sold anew at another average cost. */
const ofStock: ReadonlySet<string> = new Set(["Inventory (630)", "Retained Earnings (960)"]);

/**
 * Sums of accounts that do not come to nothing.
 *
 * @param isLast  whether nothing was done since: otherwise goods may cost what they cost by now, and
 *   stock and what was earned count together
 */
async function sums(simulation: Simulation, isLast: boolean): Promise<string> {
  const { Reports } = await read(simulation, "/Reports/TrialBalance", { date: farOff });
  const rows = (Reports[0].Rows as Json[]).flatMap((each) => each.Rows ?? []);
  const found = new Map<string, number>();
  for (const { Cells, RowType } of rows) {
    if (RowType !== "Row") continue;
    const [account = "", , , debit, credit] = Cells.map(({ Value }: Json) => Value ?? "");
    const name = !isLast && ofStock.has(account) ? "Stock and earnings" : account;
    const cents = Math.round((Number(debit) - Number(credit)) * 100);
    found.set(name, (found.get(name) ?? 0) + cents);
  }
  const texts = [...found].filter(([, cents]) => cents !== 0).sort();
  return texts.map(([name, cents]) => `${name} ${(cents / 100).toFixed(2)}`).join("; ");
}

// --- lock dates ------------------------------------------------------------------------------

const lock = (given: World, PeriodLockDate: string): Promise<Answer> =>
  given.ask("POST", settingsPath, { PeriodLockDate });

/** Locks the books while others work on them: nothing is posted to a locked day from then on. */
export async function lockBooks(
  simulation: Simulation,
  { client, days, asked }: Taken<"lock">,
  business: (client: Taken<"lock">["client"]) => Promise<Business>,
): Promise<void> {
  const given = await clientOf(simulation, client);
  const today = simulation.today();
  const day = daysBefore(today, days);
  const clients: { readonly business: Business; readonly step: BusinessStep }[] = [];
  for (const each of asked)
    clients.push({ step: each.step, business: await business(each.client) });
  const work = () => clients.map(({ business, step }) => take(business, step, today));
  const [{ status, text }] = await Promise.all([lock(given, day), ...work()]);
  if (status !== 200) {
    simulation.faults.push(`A lock date was answered ${status}: ${text}`);
    return;
  }
  const last = await lastJournal(simulation);
  const late = await given.ask("PUT", "/Invoices", simulation.sale(5000, { Date: day }));
  if (late.status !== 400)
    simulation.faults.push(`A sale of a locked day was answered ${late.status}.`);
  await Promise.all(work());
  const { Journals } = await read(simulation, "/Journals", { offset: String(last) });
  for (const { JournalNumber, JournalDate } of Journals as Json[]) {
    const posted = new Date(Number(/-?\d+/.exec(JournalDate)?.[0])).toISOString().slice(0, 10);
    if (posted > day) continue;
    simulation.faults.push(`Journal ${JournalNumber} is of ${posted}, and ${day} was locked.`);
  }
  const { AuditEntries } = await read(simulation, "/Extensions/AuditEntries", { page: "1" });
  const locks = (AuditEntries as Json[]).filter(({ Kind }) => Kind === "lock-date.changed");
  if (!locks[0]?.Changes.some(({ After }: Json) => After === day)) {
    simulation.faults.push(
      `The books were locked up to ${day}, and the audit log does not say so.`,
    );
  }
  await lock(given, "");
}

async function lastJournal(simulation: Simulation): Promise<number> {
  let last = 0;
  for (;;) {
    const { Journals } = await read(simulation, "/Journals", { offset: String(last) });
    if (Journals.length === 0) return last;
    last = Journals.at(-1).JournalNumber;
  }
}

// --- assets ----------------------------------------------------------------------------------

const assetAccounts = ["710", "720"];

/** By how much the book values of the register are away from its accounts, which others post to as well. */
async function difference(simulation: Simulation): Promise<string> {
  const { Reports } = await read(simulation, "/Reports/FixedAssets", { date: simulation.today() });
  const rows = (Reports[0].Rows as Json[]).flatMap((each) => each.Rows ?? [each]);
  const { Cells = [] } = rows.find((each) => each.Cells?.[0].Value === "Difference") ?? {};
  // The first asset of an account says which columns its accounts are in; the last one has the sum.
  return (Cells as Json[]).map(({ Value }) => Value).findLast(Boolean) ?? "0.00";
}

/** Buys an asset, depreciates all, takes months back or disposes of one: the register follows the ledger. */
export async function doWithAssets(
  simulation: Simulation,
  { client, deed, which, cents }: Taken<"asset">,
): Promise<void> {
  const given = await clientOf(simulation, client);
  const before = await difference(simulation);
  const answer = await deeds[deed](simulation, given, { which, cents });
  if (answer === undefined) return;
  unexpected(simulation, `What ${deed}s`, answer);
  const after = await difference(simulation);
  if (after !== before) {
    simulation.faults.push(`To ${deed} has the register away by ${after}, before by ${before}.`);
  }
}

interface DeedOptions {
  readonly which: number;
  readonly cents: number;
}

const deeds: Readonly<
  Record<
    AssetDeed,
    (simulation: Simulation, given: World, options: DeedOptions) => Promise<Answer | undefined>
  >
> = {
  async buy(simulation, given, { which, cents }) {
    const bought = daysBefore(simulation.today(), which);
    const Code = assetAccounts[which % assetAccounts.length];
    const Cost = (cents + 1) / 100;
    const asset = {
      Name: `Thing ${which}`,
      PurchaseDate: bought,
      Cost,
      Life: 1 + (which % 5),
      AssetAccount: { Code },
    };
    const answer = await given.ask("PUT", assetsPath, asset);
    if (answer.status !== 200) return answer;
    return given.ask("PUT", "/ManualJournals", {
      Narration: "Bought",
      Date: bought,
      Status: "POSTED",
      JournalLines: [
        { AccountCode: Code, LineAmount: Cost },
        { AccountCode: "970", LineAmount: -Cost },
      ],
    });
  },
  depreciate: (simulation, given, { which }) => {
    const to = daysBefore(simulation.today(), which % 40);
    return given.ask("POST", `${assetsPath}/Depreciate`, undefined, { query: { to } });
  },
  "roll back": (simulation, given, { which }) => {
    const to = daysBefore(simulation.today(), which);
    return given.ask("POST", `${assetsPath}/Rollback`, undefined, { query: { to } });
  },
  async "dispose of"(simulation, given, { which, cents }) {
    const { Assets } = await read(simulation, assetsPath);
    const chosen = Assets[which % Math.max(1, Assets.length)];
    if (chosen === undefined) return undefined;
    return given.ask("POST", `${assetsPath}/${chosen.AssetID}/Dispose`, {
      Date: simulation.today(),
      Proceeds: cents / 100,
      ProceedsAccount: { Code: "260" },
    });
  },
};

// --- schedules -------------------------------------------------------------------------------

/** Perhaps makes a template of a week, and has two at the same time make what is due. */
export async function runSchedules(
  simulation: Simulation,
  { client, other, cents, isNew }: Taken<"schedule">,
): Promise<void> {
  const [given, second] = [await clientOf(simulation, client), await clientOf(simulation, other)];
  if (isNew) {
    const template = simulation.sale(cents, {
      Schedule: {
        Period: 1,
        Unit: "WEEKLY",
        DueDate: 20,
        DueDateType: "OFFOLLOWINGMONTH",
        StartDate: simulation.today(),
      },
    });
    unexpected(simulation, "A template", await given.ask("PUT", "/RepeatingInvoices", template));
  }
  await makeDue(given, second);
}

/** Makes what is due by schedules. */
export async function makeDue(...clients: readonly World[]): Promise<void> {
  await Promise.all(clients.map((each) => each.ask("POST", "/RepeatingInvoices/Run", {})));
}
