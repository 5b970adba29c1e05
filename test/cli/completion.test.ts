import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { install, shellOf } from "../../src/cli/completion/install.ts";
import { sourceOf } from "../../src/cli/completion/record-completions.ts";
import { scriptNames, shells } from "../../src/cli/completion/shells.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { createClient } from "../../src/client/client.ts";
import { openEmbedded } from "../../src/client/embedded.ts";
import { account } from "../../src/resources/account.ts";
import { bankTransaction } from "../../src/resources/bank-transaction.ts";
import { contact } from "../../src/resources/contact.ts";
import { creditNote } from "../../src/resources/credit-note.ts";
import { purchaseOrder } from "../../src/resources/purchase-order.ts";
import { quote } from "../../src/resources/quote.ts";
import { makeSample } from "../shell/sample.ts";
import { onPort } from "../support/port.ts";
import { walk, wholeTree } from "./tree.ts";

const completions = join(import.meta.dirname, "..", "..", "completions");

let folder: string;
let book: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "acct-completion-"));
  book = join(folder, "book.acct");
  await makeSample(book);
  const { transport: handle, close } = await openEmbedded(book);
  const client = createClient(handle, { rollsBack: true });
  for (const Name of ['Smith: "Bits" & Bob\'s', "Café Ünï"]) {
    await client.create(contact, { Name });
  }
  const { ContactID } = await client.find(contact, "Kauri Hotel");
  const document = { Contact: { ContactID }, LineItems: [{ Description: "Pots" }] };
  await client.create(purchaseOrder, { ...document, Date: "2026-11-01" });
  await client.create(purchaseOrder, { ...document, Date: "2026-11-02", Status: "AUTHORISED" });
  await client.create(quote, document);
  await client.create(creditNote, { ...document, Type: "ACCRECCREDIT" });
  await close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function acct(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const stdout = memorySink();
  const stderr = memorySink();
  const code = await run(words, {
    env: { HOME: folder, ...env },
    stdout,
    stderr,
    clock: Date.now,
    open: () => Promise.reject(new Error("opened for nothing")),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** What may stand for the last word of a line, as fish is answered; in bash the line is one word. */
async function answers(
  line: string,
  env: Readonly<Record<string, string>> = { ACCT_BOOK: book },
  shell = "fish",
): Promise<string[]> {
  const given = shell === "bash" ? [line, " \t\n\"'><=;|&(:"] : line.split(" ").slice(1);
  const { code, stdout, stderr } = await acct(
    ["completion", "_answer", shell, "--", ...given],
    env,
  );
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").slice(0, -1);
}

/** The same without what is said of each. */
const names = async (...asked: Parameters<typeof answers>) =>
  (await answers(...asked)).map((line) => line.replace(/(?<=.)\t.*/, ""));

describe("the completion scripts", () => {
  test.each(shells)(
    "the installed completion script for %s equals the output of acct completion",
    async (shell) => {
      const script = readFileSync(join(completions, scriptNames[shell]), "utf8");
      expect(await acct(["completion", shell])).toEqual({ code: 0, stdout: script, stderr: "" });
    },
  );
});

describe("words of the command line", () => {
  test.each<[line: string, words: string[]]>([
    ["acct inv", ["invoice"]],
    ["acct -o json acc", ["account"]],
    ["acct --output j", ["json"]],
    ["acct --output=j", ["--output=json"]],
    ["acct invoices li", ["list"]],
    ["acct invoices ls --no-c", ["--no-color"]],
    ["acct invoice list --status DRAFT,pa", ["DRAFT,PAID"]],
    ["acct invoice list --status=DRAFT,pa", ["--status=DRAFT,PAID"]],
    ["acct invoice create --date tom", ["tomorrow"]],
    ["acct invoice create --date next-f", ["next-friday"]],
    ["acct report pl --period fyt", ["fytd"]],
    ["acct close last-1", ["last-12-months"]],
    ["acct api GET P", []],
    ["acct api P", ["POST", "PUT"]],
    ["acct completion _", []],
    ["acct help mon", ["month"]],
    ["acct help inv", ["invoice"]],
    ["acct help invoice mon", []],
    ["acct invoice list --yes=x", []],
    ["acct invoice list --reference ", []],
    ["acct nonsense x", []],
    ["acct invoice show --help --demo --no-in", ["--no-input"]],
  ])('the command line "%s" is completed with %j', async (line, expected) => {
    const start = line.slice(line.lastIndexOf(" ") + 1).toLowerCase();
    const found = await names(line);
    expect(found.filter((word) => word.toLowerCase().startsWith(start))).toEqual(expected);
  });

  test.each([
    ["acct invoice import inv", ["\t"]],
    ["acct invoice create --file=inv", ["\t--file="]],
    ["acct --book ", ["\t"]],
  ])('"%s" is completed with file names by the shell', async (line, expected) => {
    expect(await answers(line)).toEqual(expected);
  });

  test("completed words of the command line have descriptions", async () => {
    expect(await answers("acct ")).toContain("invoice\tsales invoices");
    expect(await answers("acct invoice list --d")).toContain(
      "--dry-run\tcheck, show what would change, change nothing",
    );
    // What values there are is shown when they are asked for.
    expect(await answers("acct init --c")).toContain(
      "--country\tAU, CA, DE, FR, GB, NZ, SG, US, ZA, GLOBAL",
    );
  });

  test("every completed argument and flag has a source of its values", async () => {
    const others = ["file", "profile", "line", "record"];
    for (const { path, node } of walk(await wholeTree())) {
      if (node.kind === "group") continue;
      for (const { name, live } of [...node.flags, ...node.args]) {
        if (live === undefined || others.includes(live)) continue;
        expect(sourceOf(live), `${path.join(" ")} ${name}: ${live}`).toBeTypeOf("function");
      }
    }
  });
});

describe("command lines of bash", () => {
  test.each<[line: string, words: string[]]>([
    ["acct invoice list --status=DRAFT,pa", ["DRAFT,PAID"]],
    ["acct 'invoice' \"li", ["list"]],
    ["acct contact show ka", ["Kauri\\ Hotel"]],
    ["acct contact show Kauri\\ h", ["Kauri\\ Hotel"]],
    ["acct contact show --book='nothing here' ka", []],
    ["acct contact show smi", ['Smith:\\ \\"Bits\\"\\ \\&\\ Bob\\\'s']],
    ["acct contact show Smith:", ['\\ \\"Bits\\"\\ \\&\\ Bob\\\'s']],
    ['acct contact show "Smith:', ['Smith: \\"Bits\\" & Bob\'s']],
    ["acct contact show 'smi", ["Smith: \"Bits\" & Bob'\\''s"]],
    ["acct invoice list --contact='ki", ["Kiln & Colour"]],
    ["acct history list --on invoice:INV-0231", ["INV-0231"]],
    ["acct history list --on=item:m", ["MUG"]],
  ])('in bash, the command line "%s" is completed with %j', async (line, expected) => {
    expect(await names(line, undefined, "bash")).toEqual(expected);
  });
});

describe("values completed from the book", () => {
  test.each<[line: string, values: string[]]>([
    ["acct invoice create --contact k", ["Kauri Hotel", "Kiln & Colour"]],
    ["acct contact show SMI", ['Smith: "Bits" & Bob\'s']],
    ["acct contact show café", ["Café Ünï"]],
    // What would have to be shown otherwise than it is cannot be typed either.
    ["acct contact show over", []],
    ['acct contact show a"ORName!="', []],
    ["acct invoice show inv-023", ["INV-0231", "INV-0230"]],
    ["acct invoice show S-1001", []],
    ["acct bill show S-1001", ["S-1001"]],
    ["acct payment list --invoice S-1001", ["S-1001"]],
    ["acct item show ", ["BOWL", "CLASS", "LAMP", "MUG", "PLATE", "VASE"]],
    ["acct item show m", ["MUG"]],
    ["acct account show 09", ["090", "091"]],
    ["acct payment apply INV-0001 --account ", ["090", "091", "970", "980"]],
    ["acct tax-rate show out", ["OUTPUT2"]],
    ["acct report pl --tracking-category ", ["Studio"]],
    ["acct history list --on p", ["purchase-order:", "prepayment:", "payment:"]],
    ["acct po show po", ["PO-0002", "PO-0001"]],
    ["acct purchase-order bill ", ["PO-0002"]],
    ["acct po show X", []],
    ["acct quote accept ", []],
    ["acct quote send ", ["QU-0001"]],
    ["acct credit-note show ", ["CN-0001"]],
    ["acct currency show ", ["NZD"]],
    ["acct history list --on quote:", ["quote:QU-0001"]],
    ["acct history list --on item:m", ["item:MUG"]],
    ["acct history list --on invoice:INV-0231", ["invoice:INV-0231"]],
    ["acct history list --on nonsense:", []],
    ["acct bill show b-1", ["B-1"]],
    ["acct invoice show B-1", []],
    ["acct invoice create --line acc", ["account="]],
    ["acct invoice create --line item=MUG,q", ["item=MUG,quantity="]],
    ['acct invoice create --line description="a,q', []],
    ["acct invoice create --line item=mu", ["item=MUG"]],
    ["acct invoice create --line item=MUG,account=27", ["item=MUG,account=270"]],
    ["acct invoice create --line tax=zero", ["tax=ZERORATED"]],
    [
      "acct invoice create --line tracking=",
      ["tracking=Studio:North Quay", "tracking=Studio:South Quay"],
    ],
  ])('"%s" is completed from the book with %j', async (line, expected) => {
    expect(await names(line)).toEqual(expected);
  });

  test("handles are completed in any letter case, of older records too, and where any record is taken", async () => {
    const { transport: handle, close } = await openEmbedded(book);
    const { AccountID } = await createClient(handle, {}).find(account, "090");
    const spent = { Type: "SPEND", BankAccount: { AccountID }, Contact: { Name: "Kauri Hotel" } };
    const line = { Description: "Post", UnitAmount: 1_0000, AccountCode: "425" };
    const made = Array.from({ length: 60 }, () => ({
      ...spent,
      Date: "2026-11-01",
      LineItems: [line],
    }));
    const results = await createClient(handle, {}).writeMany("PUT", bankTransaction, made as never);
    expect(results.flatMap(({ errors }) => errors)).toEqual([]);
    await close();
    const all = Array.from({ length: 60 }, (_, at) => `T-${at + 1}`);
    const ones = all.filter((name) => name.startsWith("T-1")).sort();
    for (const verb of ["bank-transaction show t-1", "undo T-1", "history list --on T-1"])
      expect((await names(`acct ${verb}`)).sort()).toEqual(ones);
  });

  test("records offered by completion have descriptions", async () => {
    expect(await answers("acct invoice show INV-0231")).toEqual([
      "INV-0231\tHarakeke Trust, NZD 1072.95, AUTHORISED",
    ]);
    expect(await answers("acct account show 200")).toEqual(["200\tSales"]);
    expect(await answers("acct tracking show ")).toEqual(["Studio\tNorth Quay, South Quay"]);
    const [newest = ""] = await answers("acct payment show ");
    expect(newest).toMatch(/^P-\d+\t\d{4}-\d\d-\d\d, RECEIVED, INV-\d+, .+, NZD [\d.]+$/);
  });

  test("completion offers only records to which the verb applies", async () => {
    const statuses = async (verb: string) => {
      const lines = await answers(`acct invoice ${verb} `);
      return [...new Set(lines.map((line) => /\w+$/.exec(line)?.[0]))].sort();
    };
    expect(await statuses("approve")).toEqual(["DRAFT", "SUBMITTED"]);
    expect(await statuses("void")).toEqual(["AUTHORISED"]);
    expect(await statuses("show")).toEqual(["AUTHORISED", "DRAFT", "SUBMITTED"]);
  });

  test("completion offers the newest records, up to a limit", async () => {
    const found = await names("acct invoice show ");
    expect(found).toHaveLength(50);
    expect(found[0]).toBe("INV-0231");
  });

  test("a cut list of completed records has no longer common prefix than all matching records", async () => {
    // A shell would make INV-02 of it, or worse, when it sees the newest alone.
    const found = await names("acct invoice show inv-");
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toBe("INV-");
    expect(await names("acct invoice show INV-023")).not.toContain("INV-023");
  });

  test("profiles are completed from the configuration, without a book", async () => {
    const config = join(folder, "config-of-profiles");
    mkdirSync(config);
    const profiles = {
      shop: { book: "/books/shop.acct" },
      cloud: { baseUrl: "https://x.example" },
    };
    writeFileSync(join(config, "config.json"), JSON.stringify({ profiles }));
    const env = { ACCT_CONFIG_DIR: config };
    expect(await answers("acct --profile ", env)).toEqual([
      "shop\t/books/shop.acct",
      "cloud\thttps://x.example",
    ]);
    expect(await names("acct --profile c", env)).toEqual(["cloud"]);
  });
});

describe("the book for completed values", () => {
  test.each([
    ["the environment", "acct item show m", { ACCT_BOOK: "BOOK" }],
    ["--book BOOK", "acct item show --book BOOK m", {}],
    ["--book=BOOK", "acct --book=BOOK item show m", {}],
    ["the flag before the environment", "acct item show --book BOOK m", { ACCT_BOOK: "/else" }],
    ["the home directory", "acct item show --book ~/book.acct m", {}],
  ])("completion finds the book given by %s", async (_where, line, env) => {
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value.replace("BOOK", book)]),
    );
    expect(await names(line.replace("BOOK", book), filled)).toEqual(["MUG"]);
    expect(await names(line.replace("BOOK", `'${book}'`), filled, "bash")).toEqual(["MUG"]);
  });

  test.each([
    ["no book", "acct item show ", {}],
    ["a book that is not there", "acct item show --book /nowhere/x.acct ", {}],
    ["a file that is no book", `acct item show --book ${import.meta.filename} `, {}],
    ["contradictions", "acct item show --book x --profile y ", {}],
    ["a demo that was not made", "acct --demo item show ", {}],
    ["a profile that there is not", "acct --profile none item show ", {}],
    ["a service that does not exist", "acct --base-url http://127.0.0.1:9 item show ", {}],
    ["nonsense", "acct --base-url nonsense item show ", {}],
  ])("completion with %s prints nothing", async (_what, line, env) => {
    expect(await names(line, env)).toEqual([]);
    expect(existsSync(join(folder, ".cache", "acct"))).toBe(false);
  });

  /** The time that a service elsewhere has, which ends with the signal instead. */
  const allowed = (signal: AbortSignal) => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(signal);
    onTestFinished(() => timeout.mockRestore());
    return timeout;
  };

  test("completion asks a remote service for values, and prints nothing with a wrong token", async () => {
    allowed(new AbortController().signal);
    const { baseUrl, token } = await onPort(book);
    const line = `acct item show --base-url ${baseUrl} m`;
    expect(await names(line, { ACCT_TOKEN: token })).toEqual(["MUG"]);
    expect(await names(line, { ACCT_TOKEN: "wrong" })).toEqual([]);
  });

  test("completion does not wait for a slow service, and prints nothing", async () => {
    let connections = 0;
    const late = new AbortController();
    const timeout = allowed(late.signal);
    const server = createServer(() => {
      connections += 1; // and never says anything
      late.abort();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const line = `acct item show --base-url http://127.0.0.1:${port}/api.xro/2.0 `;
    expect(await names(line, {})).toEqual([]);
    expect(connections).toBe(1);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(250);
  });
});

describe("acct completion install", () => {
  const homes = () => {
    const home = mkdtempSync(join(folder, "home-"));
    return { HOME: home, home };
  };

  test.each([
    ["/bin/bash", {}, ".local/share/bash-completion/completions/acct"],
    ["/usr/bin/zsh", {}, ".local/share/zsh/site-functions/_acct"],
    ["/usr/local/bin/fish", {}, ".config/fish/completions/acct.fish"],
    ["/usr/bin/pwsh", {}, ".local/share/acct/acct.ps1"],
    ["fish", { XDG_CONFIG_HOME: "HOME/settings" }, "settings/fish/completions/acct.fish"],
    ["bash", { XDG_DATA_HOME: "HOME/data" }, "data/bash-completion/completions/acct"],
    ["bash", { BASH_COMPLETION_USER_DIR: "HOME/bc" }, "bc/completions/acct"],
  ])(
    "acct completion install with SHELL=%s and %j writes the script to %s",
    async (SHELL, settings, where) => {
      const { home } = homes();
      const env = Object.fromEntries(
        Object.entries({ HOME: home, SHELL, ...settings }).map(([name, value]) => [
          name,
          value.replace("HOME", home),
        ]),
      );
      const path = join(home, where);
      const first = await acct(["completion", "install"], env);
      expect([first.code, first.stdout]).toEqual([0, ""]);
      expect(first.stderr).toContain(`are at ${path};`);
      expect(readFileSync(path, "utf8")).toContain("acct");

      const { mtimeMs } = statSync(path);
      const second = await acct(["completion", "install"], env);
      expect(second.stderr).toContain(`were already at ${path}.`);
      expect(statSync(path).mtimeMs).toBe(mtimeMs);

      writeFileSync(path, "of another version");
      expect((await acct(["completion", "install"], env)).stderr).toContain(`are at ${path};`);
      expect(readFileSync(path, "utf8")).not.toContain("of another version");
    },
  );

  test("acct completion install installs for the shell given as an argument", async () => {
    const { home } = homes();
    const { stderr } = await acct(["completion", "install", "fish"], {
      HOME: home,
      SHELL: "/bin/zsh",
    });
    expect(stderr).toContain(join(home, ".config/fish/completions/acct.fish"));
  });

  test("acct completion install for zsh names the line to add to .zshrc, and not once it is there", () => {
    const { HOME, home } = homes();
    const { path, remark } = install("zsh", { HOME });
    expect(remark).toContain(`Add this line to ${join(home, ".zshrc")}:\n  fpath=(`);
    writeFileSync(join(home, ".zshrc"), `${remark?.split("\n")[1]}\n`);
    expect(install("zsh", { HOME })).toMatchObject({ path, changed: false, remark: undefined });
  });

  test.each([
    [
      { SHELL: "/bin/tcsh" },
      "There are no completions for tcsh; name one: acct completion install",
    ],
    [{}, "$SHELL does not say which shell this is"],
  ])("acct completion install with the environment %j is refused", (env, message) => {
    expect(() => shellOf(env, "linux")).toThrow(message);
  });
});
