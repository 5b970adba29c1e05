/** A month at the desk: entering, importing what the bank says, reconciling, publishing, closing. */
import { type Bookkeeper, cli, type Words } from "./bookkeeper.ts";
import { bankNumbers, openingAtBank, withoutAddress } from "./company.ts";
import { rulesOf } from "./events.ts";
import { type BankCode, type Deed, inUnits, type Line, type Plan } from "./plan.ts";
import { type Answer, cents, Report } from "./report.ts";
import {
  banks,
  closingOf,
  formatOf,
  type Statement,
  saysAccount,
  writers,
} from "./statement-files.ts";

/** `2025-04` */
const nameOf = (date: string) => date.slice(0, 7);

const inOrder = <T extends { readonly date: string }>(found: readonly T[]) =>
  found.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));

/** A line that waits, as `acct bank lines` has it. */
interface OpenLine {
  readonly BankStatementLineID: string;
  readonly Date: string;
  readonly Amount: number;
  readonly Description: string;
}

interface Check {
  readonly Check: string;
  readonly Status: "OK" | "OPEN";
  readonly Mend?: string;
}

export class Year {
  readonly keeper: Bookkeeper;
  readonly plan: Plan;
  readonly #ids: Readonly<Record<string, string>>;

  /** @param made  ids of what was made before the year, by name */
  constructor(keeper: Bookkeeper, plan: Plan, made: Readonly<Record<string, string>>) {
    this.keeper = keeper;
    this.plan = plan;
    this.#ids = made;
  }

  /** The rules that explain what comes every month. */
  async addRules(): Promise<void> {
    const { country } = this.plan;
    for (const [name, when, to, contact] of rulesOf(country)) {
      const rule = cli`bank rule add ${name} --when ${when} --to ${to} --contact ${contact}`;
      await this.keeper.ok(rule);
    }
    const { tax, accounts } = country;
    const split = cli`--to ${`${accounts.subscriptions}:${tax.purchases}=80%`} --to ${`${accounts.telephone}:${tax.purchases}`}`;
    const cloud = cli`bank rule add Cloud --when ${"payee equals STUDIO CLOUD"} --contact Bank`;
    await this.keeper.ok([...cloud, ...split]);
    await this.keeper.ok(
      cli`bank rule add Saving --when ${"text contains TO SAVINGS"} --transfer ${accounts.savings}`,
    );
  }

  /** A whole month, up to its lock, once what was wrong before is corrected. @param env  variables with which statements are emailed */
  async keep(month: number, { env }: { env?: Env } = {}): Promise<void> {
    await this.enter(month);
    this.keeper.on(this.plan.day(month + 1, 8));
    await this.importStatements(month);
    await this.reconcile(month);
    await this.finish(month);
    await this.email(month, env);
    await this.close(month);
  }

  // --- entering --------------------------------------------------------------------------------

  async enter(month: number): Promise<void> {
    for (const deed of inOrder(this.plan.deeds[month] ?? [])) await this.do(deed, deed.date);
  }

  async do({ words, number, prints }: Deed, on: string): Promise<void> {
    const keeper = this.keeper.on(on);
    if (number === undefined) {
      const printed = await keeper.ok(words);
      if (prints !== undefined && printed !== prints) {
        throw new Error(`${words.join(" ")} printed ${printed}, not ${prints}`);
      }
      return;
    }
    const [made] = [await keeper.json(words)].flat();
    const called = made.InvoiceNumber ?? made.CreditNoteNumber;
    if (called !== number) {
      throw new Error(`${words.join(" ")} made ${called}, not ${number}`);
    }
  }

  /** With the ids of what was made before in the place of its name. */
  #withIds(words: Words): Words {
    return words.map((word) => word.replace(/^\$(\w+)$/, (_, name) => this.#ids[name] ?? name));
  }

  /** Reopens the month before for what was wrong in it, and closes it again. */
  async correct(month: number): Promise<void> {
    const deeds = this.plan.unusual.correction[month] ?? [];
    if (deeds.length === 0) return;
    const { keeper, plan } = this;
    const before = nameOf(plan.lastDay(month - 1));
    keeper.on(plan.day(month, 9));
    const [first] = deeds;
    const locked = await keeper.run(first?.words ?? []);
    if (locked.code !== 5 || !locked.stderr.includes("lock date")) {
      throw new Error(`${before} is closed, and yet ${first?.words.join(" ")}: ${locked.stderr}`);
    }
    await keeper.ok(cli`close ${before} --reopen --yes`);
    for (const deed of deeds) await this.do(deed, plan.day(month, 9));
    await this.close(month - 1);
  }

  // --- the bank --------------------------------------------------------------------------------

  statement(account: BankCode, month: number): Statement {
    const { plan } = this;
    const before = Array.from({ length: month }, (_, at) => plan.linesOf(account, at)).flat();
    return {
      number: bankNumbers[account],
      currency: account === "dollars" ? plan.country.dollars : plan.country.base,
      from: plan.day(month, 1),
      to: plan.lastDay(month),
      sequence: month + 1,
      opening: before.reduce((sum, { amount }) => sum + amount, openingAtBank[account]),
      lines: plan.linesOf(account, month),
    };
  }

  /** In some months the first half came before, in some the file is imported twice. */
  async importStatements(month: number): Promise<void> {
    for (const account of banks) {
      const whole = this.statement(account, month);
      const name = `${account}.${formatOf(account, month)}`;
      const count = whole.lines.length;
      let known = 0;
      if (month % 3 === 1) {
        const middle = this.plan.day(month, 15);
        const lines = whole.lines.filter(({ date }) => date <= middle);
        known = lines.length;
        await this.#import(account, month, { ...whole, to: middle, lines }, `half-${name}`, [
          known,
          0,
        ]);
      }
      await this.#import(account, month, whole, name, [count - known, known]);
      if (month % 2 === 0) await this.#import(account, month, whole, name, [0, count]);
    }
  }

  /** @param wanted  how many lines are to be added, and how many are known */
  async #import(
    account: BankCode,
    month: number,
    statement: Statement,
    name: string,
    wanted: readonly [added: number, known: number],
  ): Promise<void> {
    const format = formatOf(account, month);
    const path = this.keeper.file(`${nameOf(statement.to)}/${name}`, writers[format](statement));
    // A format that does not say the account tells no balance either: it is read off the paper.
    const closing = inUnits(closingOf(statement));
    const which = saysAccount[format]
      ? []
      : cli`--account ${this.plan.country.accounts[account]} --to ${statement.to} --closing-balance ${closing}`;
    const { code, stdout, stderr } = await this.keeper.run([
      ...cli`bank import ${path} -o json`,
      ...which,
    ]);
    const [made] = code === 0 ? JSON.parse(stdout) : [];
    const said = `${wanted[0]} line${wanted[0] === 1 ? "" : "s"} added, ${wanted[1]} known already.`;
    if (code !== 0 || made.LinesAdded !== wanted[0] || made.LinesKnown !== wanted[1]) {
      throw new Error(`${name} was to say: ${said} but: ${stderr}`);
    }
    // A statement that follows the one before has nothing to warn of.
    if (stderr !== `${said}\n`) throw new Error(`${name}: ${stderr}`);
  }

  async open(account: BankCode): Promise<OpenLine[]> {
    return this.keeper.json(
      cli`bank lines ${this.plan.country.accounts[account]} --status UNRECONCILED --all --order ${"Date ASC"}`,
    );
  }

  /** By rules and `--auto` first, then what a person has to say, then what follows from that. */
  async reconcile(month: number): Promise<void> {
    for (const account of banks) await this.auto(account);
    for (const account of banks) {
      for (const line of this.plan.linesOf(account, month)) {
        if (typeof line.by === "string") continue;
        const id = await this.find(account, line);
        if (id === undefined) throw new Error(`${account}: --auto has explained ${line.text}`);
        await this.keeper.ok([...cli`bank match ${id}`, ...this.#withIds(line.by)]);
      }
    }
    for (const account of banks) await this.auto(account);
    for (const account of banks) {
      const left = await this.open(account);
      if (left.length === 0) continue;
      const suggested = await this.keeper.ok(
        cli`bank suggest ${this.plan.country.accounts[account]}`,
      );
      const texts = left.map(({ Description }) => Description).join(", ");
      throw new Error(`${account}: nobody explained ${texts}\n${suggested}`);
    }
  }

  async auto(account: BankCode): Promise<void> {
    const { accounts } = this.plan.country;
    const { code, stderr } = await this.keeper.run(
      cli`bank reconcile ${accounts[account]} --auto --charges ${accounts.bankFees} -o id`,
    );
    if (code !== 0 && code !== 7) throw new Error(`bank reconcile ${account} --auto: ${stderr}`);
  }

  /** The id of a line that waits; undefined where it is explained. */
  async find(account: BankCode, { date, amount, text }: Line): Promise<string | undefined> {
    const found = (await this.open(account)).filter(
      ({ Date: day, Amount, Description }) =>
        day === date && cents(Amount) === amount && Description.includes(text),
    );
    if (found.length <= 1) return found[0]?.BankStatementLineID;
    throw new Error(`${account} has two lines of ${date} with ${inUnits(amount)} and ${text}`);
  }

  // --- the end of the month ----------------------------------------------------------------------

  /** What the checks find, which mends it, is done; and what comes after the return is published. */
  async finish(month: number): Promise<void> {
    const { keeper, plan } = this;
    const open = (await this.checks(month)).filter(({ Status }) => Status === "OPEN");
    const found = open.map(({ Check: name }) => name).join(", ");
    const wanted = plan.isReturnDue(month) ? "depreciation, taxReturns" : "depreciation";
    if (found !== wanted) throw new Error(`The checks find ${found || "nothing"}, not ${wanted}`);
    const mend = async ({ Mend = "" }: Check) => {
      const words = Mend.split(" ").slice(1);
      if (!words.includes("--publish")) return keeper.ok(words);
      const days = words.filter((word) => word !== "--publish");
      this.behindReturn = await keeper.json([...days, "--detail"]);
      // What a return comes to is asked about before it is published.
      return keeper.ok([...words, "--yes"]);
    };
    for (const each of open) await mend(each);
    const forgotten = plan.unusual.withdrawn[month] ?? [];
    if (forgotten.length > 0) {
      const { command } = plan.country.taxReturn;
      await keeper.ok(cli`report ${command} R-1 --withdraw --reason Incomplete --yes`);
      for (const deed of forgotten) await this.do(deed, plan.day(month + 1, 8));
      for (const each of await this.checks(month)) if (each.Status === "OPEN") await mend(each);
    }
    for (const deed of plan.unusual.late[month] ?? []) await this.do(deed, plan.day(month + 1, 8));
  }

  async checks(month: number): Promise<Check[]> {
    const period = nameOf(this.plan.lastDay(month));
    const { code, stdout, stderr } = await this.keeper.run(cli`close ${period} --dry-run -o json`);
    if (code !== 0 && code !== 7) throw new Error(`close ${period} --dry-run: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Statements of account to all who owe anything and have an address; the second time to nobody. */
  async email(month: number, env: Env = {}): Promise<void> {
    const { keeper, plan } = this;
    const date = plan.lastDay(month);
    const aged = await Report.of(keeper, cli`aged-receivables --date ${date}`);
    const totals = [...aged.figures("Total")];
    const owing = totals
      .slice(
        0,
        totals.findIndex(([name]) => name === "Total"),
      )
      .filter(([name, due]) => due > 0 && name !== withoutAddress);
    const words = cli`report statement --all --email --date ${date} --yes`;
    const first = await keeper.run(words, env);
    const verb = env.ACCT_SMTP_URL === undefined ? "Written to the outbox, not sent:" : "Emailed";
    const sent = owing.filter(([name]) =>
      first.stderr.includes(`${verb} the statement of ${name}`),
    );
    if (first.code !== 0 || sent.length !== owing.length || owing.length === 0) {
      throw new Error(`${sent.length} of ${owing.length} statements were sent: ${first.stderr}`);
    }
    this.emailed += sent.length;
    const again = await keeper.run(words, env);
    if (!again.stderr.endsWith("There is nobody to send a statement to.\n")) {
      throw new Error(`Statements were sent again: ${again.stderr}`);
    }
  }

  /** The documents behind the boxes of the last return, as they were when it was published. */
  behindReturn: Answer | undefined;

  /** How many statements of account were sent so far. */
  emailed = 0;

  /** Every check has to be in order. */
  async close(month: number): Promise<void> {
    const period = nameOf(this.plan.lastDay(month));
    const { code, stdout, stderr } = await this.keeper.run(cli`close ${period}`);
    if (code !== 0) throw new Error(`The close ended with ${code}: ${stderr}\n${stdout}`);
  }
}

type Env = Readonly<Record<string, string>>;
