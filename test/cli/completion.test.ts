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
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { install, shellOf } from "../../src/cli/completion/install.ts";
import { scriptNames, shells, withTable } from "../../src/cli/completion/tables.ts";
import { describeTree } from "../../src/cli/completion/tree.ts";
import { run } from "../../src/cli/main.ts";
import { root } from "../../src/cli/nouns.ts";
import { memorySink } from "../../src/cli/render/sink.ts";
import { createClient } from "../../src/client/client.ts";
import { openEmbedded } from "../../src/client/embedded.ts";
import { contact } from "../../src/resources/contact.ts";
import { creditNote } from "../../src/resources/credit-note.ts";
import { purchaseOrder } from "../../src/resources/purchase-order.ts";
import { quote } from "../../src/resources/quote.ts";
import { onPort } from "../port.ts";
import { makeSample } from "../shell/sample.ts";

const completions = join(import.meta.dirname, "..", "..", "completions");

let folder: string;
let book: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "acct-completion-"));
  book = join(folder, "book.acct");
  await makeSample(book);
  const { handle, close } = await openEmbedded(book);
  const client = createClient(handle, { rollsBack: true });
  for (const Name of ['Smith: "Bits" & Bob\'s', "Café Ünï", "Overriding \u202ename"]) {
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

/** What is answered for a word at the end of a line. */
async function values(
  kind: string,
  start: string,
  line: string,
  env: Readonly<Record<string, string>> = { ACCT_BOOK: book },
): Promise<string[]> {
  const words = ["completion", "_values", kind, start, "--", ...line.split(" ")];
  const { code, stdout, stderr } = await acct(words, env);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").slice(0, -1);
}

/** The same without what is said of each. */
const names = async (...asked: Parameters<typeof values>) =>
  (await values(...asked)).map((line) => line.split("\t")[0] ?? "");

describe("the scripts", () => {
  // Written anew by: npx vitest run test/cli/completion.test.ts -u
  test.each(shells)("for %s know the commands that there are now", async (shell) => {
    const path = join(completions, scriptNames[shell]);
    const fresh = withTable(readFileSync(path, "utf8"), shell, await describeTree(root));
    await expect(fresh).toMatchFileSnapshot(path);
  });

  test.each(shells)("for %s are what acct completion prints", async (shell) => {
    const script = readFileSync(join(completions, scriptNames[shell]), "utf8");
    expect(await acct(["completion", shell])).toEqual({ code: 0, stdout: script, stderr: "" });
  });

  test("know nothing that is for scripts alone", async () => {
    const { rows } = await describeTree(root);
    expect(JSON.stringify(rows)).not.toContain('"_');
  });

  test("are small", () => {
    for (const name of Object.values(scriptNames)) {
      expect(statSync(join(completions, name)).size).toBeLessThan(200_000);
    }
  });
});

describe("values from the book", () => {
  test.each<[kind: string, start: string, line: string, values: string[]]>([
    ["contact", "k", "invoice create --contact k", ["Kauri Hotel", "Kiln & Colour"]],
    ["contact", "SMI", "contact show SMI", ['Smith: "Bits" & Bob\'s']],
    ["contact", "café", "contact show café", ["Café Ünï"]],
    // What would have to be shown otherwise than it is cannot be typed either.
    ["contact", "over", "contact show over", []],
    ["contact", 'a" OR Name!="', "contact show x", []],
    ["invoice", "inv-023", "invoice show inv-023", ["INV-0231", "INV-0230"]],
    ["invoice", "S-1001", "invoice show S-1001", []],
    ["bill", "S-1001", "bill show S-1001", ["S-1001"]],
    ["invoice", "S-1001", "payment list --invoice S-1001", ["S-1001"]],
    ["item", "", "item show", ["BOWL", "CLASS", "LAMP", "MUG", "PLATE", "VASE"]],
    ["item", "m", "item show m", ["MUG"]],
    ["account", "09", "account show 09", ["090", "091"]],
    ["account", "", "payment apply INV-0001 --account", ["090", "091", "970", "980"]],
    ["tax-rate", "out", "tax-rate show out", ["OUTPUT2"]],
    ["tracking", "", "report pl --tracking-category", ["Studio"]],
    ["record", "p", "history list --on p", ["purchase-order:", "prepayment:", "payment:"]],
    ["purchase-order", "po", "po show po", ["PO-0002", "PO-0001"]],
    ["purchase-order", "", "purchase-order bill", ["PO-0002"]],
    ["purchase-order", "X", "po show X", []],
    ["quote", "", "quote accept", []],
    ["quote", "", "quote send", ["QU-0001"]],
    ["credit-note", "", "credit-note show", ["CN-0001"]],
    ["record", "quote:", "history list --on quote:", ["quote:QU-0001"]],
    ["record", "item:m", "history list --on item:m", ["item:MUG"]],
    ["record", "invoice:INV-0231", "history list --on", ["invoice:INV-0231"]],
    ["record", "nonsense:", "history list --on", []],
    ["line", "acc", "invoice create --line acc", ["account="]],
    ["line", "item=MUG,q", "invoice create --line", ["item=MUG,quantity="]],
    ["line", 'description="a, q', "invoice create --line", []],
    ["line", "item=mu", "invoice create --line", ["item=MUG"]],
    ["line", "item=MUG,account=27", "invoice create --line", ["item=MUG,account=270"]],
    ["line", "tax=zero", "invoice create --line", ["tax=ZERORATED"]],
    [
      "line",
      "tracking=",
      "invoice create --line",
      ["tracking=Studio:North Quay", "tracking=Studio:South Quay"],
    ],
    ["nonsense", "", "invoice list", []],
  ])("%s, from %j in acct %s", async (kind, start, line, expected) => {
    expect(await names(kind, start, line)).toEqual(expected);
  });

  test("say what they are", async () => {
    expect(await values("invoice", "INV-0231", "invoice show INV-0231")).toEqual([
      "INV-0231\tHarakeke Trust, NZD 1072.95, AUTHORISED",
    ]);
    expect(await values("account", "200", "account show 200")).toEqual(["200\tSales"]);
  });

  test("are those with which the verb can do something", async () => {
    const statuses = async (verb: string) => {
      const lines = await values("invoice", "", `invoice ${verb}`);
      return [...new Set(lines.map((line) => /\w+$/.exec(line)?.[0]))].sort();
    };
    expect(await statuses("approve")).toEqual(["DRAFT", "SUBMITTED"]);
    expect(await statuses("void")).toEqual(["AUTHORISED"]);
    expect(await statuses("show")).toEqual(["AUTHORISED", "DRAFT", "SUBMITTED"]);
  });

  test("are the newest, and not too many", async () => {
    const found = await names("invoice", "", "invoice show");
    expect(found).toHaveLength(50);
    expect(found[0]).toBe("INV-0231");
  });

  test("have no more in common than all that there are", async () => {
    // A shell would make INV-02 of it, or worse, when it sees the newest alone.
    const found = await names("invoice", "inv-", "invoice show inv-");
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toBe("INV-");
    expect(await names("invoice", "INV-023", "invoice show INV-023")).not.toContain("INV-023");
  });

  test("are profiles of the configuration, without a book", async () => {
    const config = join(folder, "config-of-profiles");
    mkdirSync(config);
    const profiles = {
      shop: { book: "/books/shop.acct" },
      cloud: { baseUrl: "https://x.example" },
    };
    writeFileSync(join(config, "config.json"), JSON.stringify({ profiles }));
    const env = { ACCT_CONFIG_DIR: config };
    expect(await values("profile", "", "--profile", env)).toEqual([
      "shop\t/books/shop.acct",
      "cloud\thttps://x.example",
    ]);
    expect(await names("profile", "c", "--profile c", env)).toEqual(["cloud"]);
  });
});

describe("where they are asked for", () => {
  test.each([
    ["the environment", "item show", { ACCT_BOOK: "BOOK" }],
    ["--book BOOK", "item show --book BOOK", {}],
    ["--book=BOOK", "--book=BOOK item show", {}],
    ["a quoted word", "item show --book 'BOOK'", { ACCT_BOOK: "/elsewhere" }],
    ["the home directory", "item show --book ~/book.acct", {}],
  ])("%s", async (_where, line, env) => {
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value.replace("BOOK", book)]),
    );
    expect(await names("item", "m", line.replace("BOOK", book), filled)).toEqual(["MUG"]);
  });

  test.each([
    ["no book", "item show", {}],
    ["a book that is not there", "item show --book /nowhere/x.acct", {}],
    ["a file that is no book", `item show --book ${import.meta.filename}`, {}],
    ["contradictions", "item show --book x --profile y", {}],
    ["a demo that was not made", "--demo item show", {}],
    ["a profile that there is not", "--profile none item show", {}],
    ["a service that does not exist", "--base-url http://127.0.0.1:9 item show", {}],
    ["nonsense", "--base-url nonsense item show", {}],
  ])("%s is silence", async (_what, line, env) => {
    expect(await names("item", "", line, env)).toEqual([]);
    expect(existsSync(join(folder, ".cache", "acct"))).toBe(false);
  });

  test("a service elsewhere", async () => {
    const { baseUrl, token } = await onPort(book);
    const line = `item show --base-url ${baseUrl}`;
    expect(await names("item", "m", line, { ACCT_TOKEN: token })).toEqual(["MUG"]);
    expect(await names("item", "m", line, { ACCT_TOKEN: "wrong" })).toEqual([]);
  });

  test("a service that does not answer at once is not waited for", async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1; // and never says anything
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const line = `item show --base-url http://127.0.0.1:${port}/api.xro/2.0`;
    expect(await names("item", "", line, {})).toEqual([]);
    expect(connections).toBe(1);
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
  ])("SHELL=%s %j: %s", async (SHELL, settings, where) => {
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
  });

  test("the shell can be named", async () => {
    const { home } = homes();
    const { stderr } = await acct(["completion", "install", "fish"], {
      HOME: home,
      SHELL: "/bin/zsh",
    });
    expect(stderr).toContain(join(home, ".config/fish/completions/acct.fish"));
  });

  test("zsh is told where to look, once", () => {
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
  ])("%j is refused", (env, message) => {
    expect(() => shellOf(env, "linux")).toThrow(message);
  });
});
