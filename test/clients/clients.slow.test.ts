/**
 * Libraries of the public cloud against `acct serve --as-cloud`, with no line changed: the cloud's names
 * lead here, in a room of their own of network and files.
 *
 * `ACCT_TEST_CLIENTS=1` runs them; xero-node is installed from the registry in a folder of its own, others
 * run where they are installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBuilt } from "../cli/built.ts";

const wanted = process.env.ACCT_TEST_CLIENTS !== undefined;
const hosts = ["api.xero.com", "identity.xero.com", "login.xero.com"];
/** Makes a room with names of its own, in which port 443 is free, and runs the words there. */
const room = 'ip link set lo up && mount --bind "$HOSTS" /etc/hosts && exec "$0" "$@"';
const hasRooms = spawnSync("unshare", ["-mn", "ip", "link", "set", "lo", "up"]).status === 0;
const at = (name: string) => join(import.meta.dirname, name);

interface Library {
  readonly program: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How it tells a limit. */
  readonly limited: unknown;
  /** Why it cannot be run here; undefined where it can. */
  missing(): string | undefined;
}

const nodeVersion = "20.0.0";
const nodeFolder = at(`../../node_modules/.cache/clients/xero-node-${nodeVersion}`);

const libraries: Readonly<Record<string, Library>> = {
  [`xero-node ${nodeVersion}`]: {
    program: process.execPath,
    words: [at("xero-node.cjs")],
    limited: 429,
    env: { NODE_PATH: join(nodeFolder, "node_modules") },
    missing() {
      if (existsSync(join(nodeFolder, "node_modules", "xero-node"))) return undefined;
      mkdirSync(nodeFolder, { recursive: true });
      const words = ["install", "--prefix", nodeFolder, "--no-audit", `xero-node@${nodeVersion}`];
      return spawnSync("npm", words).status === 0 ? undefined : "npm cannot install it";
    },
  },
  "xero-python": {
    program: "python3",
    words: [at("xero-python.py")],
    limited: "waited",
    missing: () =>
      spawnSync("python3", ["-c", "import xero_python"]).status === 0
        ? undefined
        : "python3 has no xero_python",
  },
};

/** A home with a book, a certificate, an app and a person, and the environment of a client. */
function prepared() {
  const home = mkdtempSync(join(tmpdir(), "acct-clients-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const env = { HOME: home, PATH: process.env.PATH ?? "", ACCT_BOOK: join(home, "b.acct") };
  const password = "kiln and clay and glaze";
  const ok = (words: readonly string[], input = "") => {
    const { status, stdout, stderr } = runBuilt(words, env, input);
    expect({ words, status, stderr: status === 0 ? "" : stderr }).toMatchObject({ status: 0 });
    return stdout;
  };
  const redirect = "http://localhost:3000/callback";
  ok(["init", "--demo", "--country", "NZ"]);
  ok(["dev-cert"]);
  const app = ok(["app", "add", "Shop", "--kind", "web", "--redirect-uri", redirect, "-o", "json"]);
  const email = "ann@shop.example";
  ok(["user", "add", email, "--name", "Ann", "--role", "standard", "--password-stdin"], password);
  const authority = join(home, ".local/share/acct/dev-cert/authority.pem");
  writeFileSync(join(home, "hosts"), `127.0.0.1 localhost ${hosts.join(" ")}\n`);
  return {
    ...env,
    HOSTS: join(home, "hosts"),
    NODE: process.execPath,
    BROWSE: at("browse.ts"),
    NODE_EXTRA_CA_CERTS: authority,
    SSL_CERT_FILE: authority,
    REQUESTS_CA_BUNDLE: authority,
    CLIENT_ID: /"ClientID":"([^"]+)/.exec(app)?.[1] ?? "",
    CLIENT_SECRET: /"ClientSecret":"([^"]+)/.exec(app)?.[1] ?? "",
    REDIRECT_URI: redirect,
    EMAIL: email,
    PASSWORD: password,
  };
}

test.runIf(wanted).each(Object.entries(libraries))(
  "%s signs in, renews, lists, creates, updates, prints and outlives a limit",
  (name, { program, words, env, limited, missing }) => {
    const why = hasRooms ? missing() : "no room can be made here (unshare -mn)";
    if (why !== undefined) return console.log(`left out, because ${why}: ${name}`);
    const line = ["-mn", "sh", "-c", room, process.execPath, at("stage.ts"), program, ...words];
    const { PYTHONPATH = "" } = process.env;
    const { stdout, stderr } = spawnSync("unshare", line, {
      encoding: "utf8",
      env: { ...prepared(), PYTHONPATH, ...env },
    });
    expect(stderr).toBe("");
    const numbers = Array(3).fill(expect.any(String));
    const found = JSON.parse(stdout);
    expect(found).toEqual({
      renewed: true,
      tenant: Array(2).fill(expect.any(String)),
      pages: [numbers, numbers],
      made: { total: 115, contact: "Somebody New", reference: "PO-7" },
      pdf: "%PDF-",
      refused: [400, "Operator '==' incompatible with operand types 'DateTime?' and 'String'"],
      limited: [limited, expect.stringMatching(/^\d+$/)],
      outlived: 1,
    });
    expect(new Set(found.pages.flat()).size).toBe(6);
    expect(new Set(found.tenant).size).toBe(1);
  },
);
