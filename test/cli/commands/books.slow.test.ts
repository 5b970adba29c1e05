/** Whole stories on a real book: embedded, and the same over a port. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { openEmbedded } from "../../../src/client/embedded.ts";
import type { Transport } from "../../../src/wire/http.ts";
import { noon } from "../line.ts";

const home = mkdtempSync(join(tmpdir(), "acct-"));
afterAll(() => rmSync(home, { recursive: true }));

/** A second passes whenever somebody looks, so that what comes later is later. */
let seconds = 0;
const clock = () => noon + 1000 * seconds++;

/** Runs a command line as the program does, in a home of its own. */
async function acct(line: string, env: Record<string, string> = {}) {
  const words = line.match(/(?:[^\s']|'[^']*')+/g) ?? [];
  const argv = words.map((word) => word.replaceAll("'", ""));
  const stdout = memorySink();
  const stderr = memorySink();
  const world = { env: { HOME: home, ...env }, stdout, stderr, clock, open };
  const code = await run(argv, world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A port in front of a service. */
async function serve(handle: Transport) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await handle({
      method: request.method ?? "GET",
      path: url.pathname.replace(/^\/api/, ""),
      query: [...url.searchParams],
      headers: request.headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api`, close: () => server.close() };
}

describe("a command without a book", () => {
  test("a command without a book is refused, and the message says how to create one", async () => {
    const { code, stderr } = await acct("invoice list", { XDG_DATA_HOME: join(home, "none") });
    expect(code).toBe(2);
    expect(stderr).toBe(
      `acct: There is no book at ${join(home, "none/acct/book.acct")}: make one with acct init, ` +
        "or name another with --book or try --demo.\n",
    );
  });

  test("a command with a missing --book file is refused, and does not create the file", async () => {
    const path = join(home, "typo.acct");
    const { code, stderr } = await acct(`--book ${path} invoice list`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`acct init --book ${path}`)]);
  });

  test("init refuses an organisation name of more than one line", async () => {
    const { code, stderr } = await acct("init --name 'Blue\nKiln' --country NZ");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^acct: --name must be one line/)]);
  });

  test("init creates the default book, and never overwrites it", async () => {
    const dry = await acct("init --name Kiln --country NZ --dry-run");
    expect([dry.code, dry.stdout]).toEqual([0, ""]);
    const made = await acct("init --name Kiln --country uk --financial-year-end '5 April' -o json");
    expect(JSON.parse(made.stdout)).toMatchObject({ name: "Kiln", country: "GB" });
    const shown = await acct("org show -o json --columns Name,CountryCode,FinancialYearEndDay");
    expect(JSON.parse(shown.stdout)).toEqual({
      Name: "Kiln",
      CountryCode: "GB",
      FinancialYearEndDay: 5,
    });
    const again = await acct("init --name Other --country NZ");
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("already")]);
  });
});

describe.each(["embedded", "over a port"])("a year of commands in a book, %s", (way) => {
  const path = join(home, `${way.replaceAll(" ", "-")}.acct`);
  let env: Record<string, string> = { ACCT_BOOK: path };
  let close: () => Promise<void> = async () => undefined;
  const book = (line: string) => acct(line, env);
  /** The values of the columns named, one record a line. */
  const values = async (line: string) => {
    const { code, stdout, stderr } = await book(`${line} -o csv`);
    expect([code, stderr.replace(/^Changed Kiln, at .*\n/, "")]).toEqual([0, ""]);
    return stdout.trimEnd().split("\n").slice(1);
  };

  beforeAll(async () => {
    expect((await acct(`init --book ${path} --name Kiln --country NZ`)).code).toBe(0);
    if (way === "embedded") return;
    const connection = await openEmbedded(path, { clock });
    const server = await serve(connection.transport);
    env = { ACCT_BASE_URL: server.url };
    close = async () => {
      server.close();
      await connection.close();
    };
  });
  afterAll(() => close());

  test("an invoice is created, approved and paid, and the reports show it", async () => {
    await values("account create --code 090 --name Bank --type bank --bank-account-number 12-3456");
    await values("contact create --name Acme");
    const line = "--line 'description=Mugs,quantity=3,unit-amount=33.3333,account=200'";
    const columns = "--columns InvoiceNumber,Status,Total,AmountDue";
    expect(
      await values(`invoice create --contact acme --due-date +20d ${line} ${columns}`),
    ).toEqual(["INV-0001,DRAFT,115.00,115.00"]);
    expect(await values(`invoice approve INV-0001 ${columns}`)).toEqual([
      "INV-0001,AUTHORISED,115.00,115.00",
    ]);
    await values("payment apply INV-0001 --account 090 --amount 15 --date today");
    await values("payment apply INV-0001 --account 090 --date today");
    expect(await values(`invoice show INV-0001 ${columns}`)).toEqual(["INV-0001,PAID,115.00,0.00"]);
    expect(await values("payment list --invoice INV-0001 --columns Amount,Account.Code")).toEqual([
      "100.00,090",
      "15.00,090",
    ]);
    const report = await values("report pl --period this-fy");
    expect(report.filter((row) => /Net Profit/.test(row)).join()).toMatch(/,100\.00$/);
    const balances = await values("report trial-balance");
    expect(balances.some((row) => /Bank \(090\)/.test(row))).toBe(true);
  });

  test("a refused record lists every fault and changes nothing", async () => {
    const line = "--line 'description=Mugs,quantity=1,unit-amount=1,account=999'";
    const { code, stdout, stderr } = await book(
      `invoice create --contact Acme --status AUTHORISED ${line} -o json`,
    );
    expect([code, stdout]).toEqual([5, ""]);
    expect(JSON.parse(stderr).error.details.length).toBeGreaterThan(0);
    expect(await values("invoice list --status AUTHORISED")).toEqual([]);
  });

  test("a dry run prints the result, and leaves the book unchanged", async () => {
    const before = (await book("invoice show INV-0001 -o json")).stdout;
    const dry = await book("invoice update INV-0001 --reference later --dry-run");
    expect([dry.code, dry.stderr]).toEqual([
      0,
      expect.stringContaining("Reference nothing → later"),
    ]);
    await book("contact create --name Nobody --dry-run");
    expect((await book("invoice show INV-0001 -o json")).stdout).toBe(before);
    expect((await book("contact show Nobody")).code).toBe(3);
  });

  test("the reversal of a payment is posted", async () => {
    const ids = await values("payment list --invoice INV-0001 --columns PaymentID");
    for (const id of ids) await values(`payment reverse ${id} --yes`);
    expect(await values("invoice void INV-0001 --yes --columns Status")).toEqual(["VOIDED"]);
    const report = await values("report pl --period this-fy");
    expect(report.filter((row) => /Net Profit/.test(row)).join()).toMatch(/,0\.00$/);
  });

  test("every list is printed in every output format", async () => {
    const nouns = [
      "invoice",
      "bill",
      "payment",
      "contact",
      "item",
      "account",
      "tax-rate",
      "tracking",
    ];
    for (const noun of nouns) {
      for (const format of ["table", "json", "xml", "csv", "id"]) {
        const { code, stderr } = await book(`${noun} list --limit 2 -o ${format}`);
        expect([noun, format, code, stderr.replace(/^No .* found\.\n/, "")]).toEqual([
          noun,
          format,
          0,
          "",
        ]);
      }
    }
  });

  test("every filter of every list is accepted by the service", async () => {
    const { walk, wholeTree } = await import("../tree.ts");
    const samples: Record<string, string> = {
      DATE: "2026-01-01..today",
      AMOUNT: "1..2",
      TIME: "today",
      CONDITION: "",
      FIELDS: "",
      PERIOD: "2026",
      N: "1",
      "NAME|NUMBER|ID": "Acme",
      "NUMBER|ID": "INV-0001",
      "CODE|ID": "090",
      ID: "11111111-1111-1111-1111-111111111111",
      "NOUN:KEY": "invoice:INV-0001",
    };
    const line = "--line 'description=Mug,quantity=1,unit-amount=1,account=200'";
    await values(`credit-note create --type ACCRECCREDIT --contact Acme ${line}`);
    const received = "bank-transaction create --bank-account 090 --contact Acme --type RECEIVE";
    await values(`${received}-PREPAYMENT ${line}`);
    await values(`${received}-OVERPAYMENT --line description=Twice,quantity=1,unit-amount=1`);
    const [prepayment = ""] = await values("prepayment list --columns PrepaymentID");
    const [overpayment = ""] = await values("overpayment list --columns OverpaymentID");
    const given: Record<string, string> = { "credit-note": "CN-0001", prepayment, overpayment };
    for (const { path: words, node } of walk(await wholeTree())) {
      if (node.kind !== "command" || node.name !== "list" || words[0] === "history") continue;
      for (const { name, placeholder, values: allowed, negatable } of node.flags) {
        const sample = /^(from|to|modified-since|since|until)$/.test(name)
          ? "today"
          : (given[name] ?? samples[placeholder ?? ""]);
        const value = allowed?.[0] ?? sample ?? "x";
        // A chart is no filter, and ids have none.
        if (value === "" || name === "period" || name === "chart") continue;
        const flag =
          placeholder === undefined
            ? negatable
              ? `--no-${name}`
              : `--${name}`
            : `--${name} ${value}`;
        const { code, stderr } = await book(`${words.join(" ")} ${flag} -o id`);
        // A record that is named has to exist; that the service knows the filter is seen all the same.
        const isNamed = code === 3 && /^acct: There is no [\w -]+ \S+[.;]/.test(stderr);
        if (!isNamed) {
          expect([words.join(" "), flag, code, stderr]).toEqual([words.join(" "), flag, 0, ""]);
        }
      }
    }
  });

  test("the book verifies as consistent after all commands of the year", async () => {
    const { code, stdout } = await acct(`book verify --book ${path}`);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Everything adds up.")]);
  });
});

test("the sample company is created on the first use of --demo, and reused the next time", async () => {
  const first = await acct("--demo invoice list --limit 1 -o id");
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringMatching(/^Making the sample company/),
  ]);
  const second = await acct("--demo invoice list --limit 1 -o id");
  expect(second).toEqual({ ...first, stderr: "" });
});

test("lock dates apply to the commands, and can be removed", async () => {
  const path = join(home, "locked.acct");
  const book = (line: string) => acct(`--book ${path} ${line}`);
  await book("init --name Kiln --country NZ");
  await book("contact create --name Acme");
  expect((await book("book set --period-lock-date 2026-02-28")).stdout).toContain("2026-02-28");
  const make =
    "invoice create --contact Acme --date 2026-02-01 --due-date 2026-03-01 --status AUTHORISED " +
    "--line 'description=Mug,quantity=1,unit-amount=1,account=200'";
  expect((await book(make)).code).toBe(5);
  await book("book set --period-lock-date none");
  expect((await book(make)).code).toBe(0);
});

test("a folder given as a book is refused, and the message names the flag for folders", async () => {
  expect(await acct(`--book ${home} invoice list`)).toMatchObject({
    code: 2,
    stderr: `acct: ${home} is a folder; give one of books with --data, or name a file.\n`,
  });
});

test("an unreachable service is reported with exit code 6 after a few tries", async () => {
  const { code, stderr } = await acct("--base-url http://127.0.0.1:1/api api GET /Items -o json");
  expect(code).toBe(6);
  expect(JSON.parse(stderr).error.code).toBe("Unreachable");
});
