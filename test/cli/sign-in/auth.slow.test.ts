/** `acct auth`, once somebody is signed in, in real processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Authority } from "../authority.ts";
import { newMeeting } from "../meeting.ts";
import type { Machine } from "../signed-in.ts";

let authority: Authority;
let machine: Machine;

beforeEach(async () => {
  const met = await newMeeting();
  ({ authority, machine } = met);
  return met.close;
});

const login = () => machine.login(authority);

describe("a stored sign-in", () => {
  test("acct auth status shows the sign-in without its secrets", async () => {
    await login();
    const shown = await machine.run(["auth", "status"]);
    expect(shown.stdout).toMatch(/^Profile +quay-street-bikes \(the default\)$/m);
    expect(shown.stdout).toMatch(/^Organisation +Quay Street Bikes \(9e0b64a8-/m);
    expect(shown.stdout).toMatch(/^Access token +for another 29 min, until 20\d\d-/m);
    expect(shown.stdout).toContain(`${machine.signIns()[0]}, readable by you alone`);
    const { stdout } = await machine.run(["auth", "status", "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      state: "signed in",
      service: authority.baseUrl,
      person: "ann@quay.example",
      client_id: "till",
      kept_in: "file",
      access_token_expires_in: expect.any(Number),
    });
    expect(shown.stdout + stdout).not.toMatch(/access-|refresh-/);
    expect(authority.asked).toHaveLength(1);
  });

  test("acct auth status makes a sign-in file that others could read private, and warns", async () => {
    await login();
    const [file = ""] = machine.signIns();
    chmodSync(file, 0o644);
    const doctor = await machine.run(["doctor"]);
    expect(doctor.stdout).toContain(`${file}, readable by others of this machine too`);
    expect(doctor.stdout).toContain("acct auth status makes its file readable by you alone.");
    const shown = await machine.run(["auth", "status"]);
    expect([shown.code, shown.stderr]).toEqual([
      0,
      `Warning: others could read ${file}, which is yours alone again; if others use this ` +
        "machine, sign out with acct auth logout and in again.\n",
    ]);
    expect(shown.stdout).toContain(`${file}, readable by you alone`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await machine.run(["auth", "status"])).stderr).toBe("");
  });

  test("acct auth status without a sign-in ends with exit code 4", async () => {
    for (const words of [
      ["auth", "status"],
      ["auth", "token"],
      ["auth", "logout"],
    ]) {
      expect(await machine.run(words)).toEqual({
        code: 4,
        stdout: "",
        stderr: "acct: Not signed in: run acct auth login.\n",
      });
    }
    const book = await machine.run(["auth", "status", "--book", "quay.acct"]);
    expect([book.code, book.stderr]).toEqual([2, expect.stringContaining("needs no sign-in")]);
  });

  test("acct auth token prints a valid access token, renewed first when needed", async () => {
    await login();
    const { accessToken } = machine.signIn().secrets;
    expect(await machine.run(["auth", "token"])).toMatchObject({ stdout: `${accessToken}\n` });
    machine.expire();
    const { stdout } = await machine.run(["auth", "token", "-o", "json"]);
    const { access_token, token_type, expires_in } = JSON.parse(stdout);
    expect(access_token).not.toBe(accessToken);
    expect(authority.accessTokens.has(access_token)).toBe(true);
    expect([token_type, Math.ceil(expires_in / 10)]).toEqual(["Bearer", 180]);
  });

  test("acct auth refresh renews the access token at once, and prints no token", async () => {
    await login();
    const { accessToken } = machine.signIn().secrets;
    const { code, stdout, stderr } = await machine.run(["auth", "refresh", "--verbose"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/Renewed; the access token counts until 20\d\d-/);
    expect(stderr).not.toMatch(/access-|refresh-/);
    expect(machine.signIn().secrets.accessToken).not.toBe(accessToken);
  });

  test("ACCT_TOKEN takes precedence over the stored sign-in", async () => {
    await login();
    machine.expire();
    const env = { ACCT_TOKEN: machine.signIn().secrets.accessToken };
    expect(await machine.run(["item", "list"], env)).toMatchObject({ code: 0 });
    expect(await machine.run(["auth", "token"], env)).toMatchObject({
      stdout: `${env.ACCT_TOKEN}\n`,
    });
    expect((await machine.run(["auth", "status"], env)).stdout).toContain("ACCT_TOKEN");
    expect(authority.renewals).toBe(0);
  });

  test("ACCT_TENANT names the organisation of a token from the environment; without a token its name is refused", async () => {
    await login();
    const given = {
      ACCT_TOKEN: machine.signIn().secrets.accessToken,
      ACCT_BASE_URL: authority.baseUrl,
      ACCT_TENANT: "Harbour Cafe",
    };
    expect(await machine.run(["item", "list"], given)).toMatchObject({ code: 0 });
    expect(authority.calls.at(-1)?.tenant).toBe("0b5c1d52-6c5e-4a7b-9a55-0d6f1c2e3a44");
    expect(await machine.run(["item", "list"], { ...given, ACCT_TOKEN: "" })).toMatchObject({
      code: 4,
      stderr:
        'acct: Without a sign-in an organisation is named by its id, not as "Harbour Cafe".\n',
    });
  });

  test("another organisation of the sign-in is selected by its name or its id", async () => {
    await login();
    const asked = async (words: readonly string[], env = {}) => {
      const ran = await machine.run(["item", "list", ...words], env);
      return ran.code === 0 ? authority.calls.at(-1)?.tenant : ran.stderr;
    };
    const cafe = "0b5c1d52-6c5e-4a7b-9a55-0d6f1c2e3a44";
    expect(await asked(["--tenant", "harbour cafe"])).toBe(cafe);
    expect(await asked(["--tenant", cafe.toUpperCase()])).toBe(cafe);
    expect(await asked([], { ACCT_TENANT: "Harbour Cafe" })).toBe(cafe);
    authority.organisations.push({ id: "5f0e8c1a-7d2b-4c3d-8e9f-0a1b2c3d4e5f", name: "New Moon" });
    expect(await asked(["--tenant", "new moon"])).toBe("5f0e8c1a-7d2b-4c3d-8e9f-0a1b2c3d4e5f");
    expect(await asked(["--tenant", "Moon"])).toBe(
      "acct: There is no organisation Moon; there are Quay Street Bikes, Harbour Cafe, New Moon.\n",
    );
  });
});

describe("modules loaded by a command", () => {
  /** The files of the program that a command line loads, without their folders. */
  async function loaded(...words: readonly string[]): Promise<string> {
    const script = `
      const { main } = require(${JSON.stringify(join(import.meta.dirname, "../../../dist/main.cjs"))});
      main(${JSON.stringify(words)}).then(() => {
        const files = Object.keys(require.cache).map((file) => require("path").basename(file));
        require("fs").writeFileSync(process.env.LOADED, files.join(" "));
      });`;
    const LOADED = join(machine.home, "loaded");
    const env = { ...machine.env, LOADED };
    await once(spawn(process.execPath, ["-e", script], { env, stdio: "ignore" }), "exit");
    return readFileSync(LOADED, "utf8");
  }

  test("a command without a sign-in does not load the modules for signing in", async () => {
    const book = join(machine.home, "quay.acct");
    const made = ["init", "--name", "Quay", "--country", "NZ", "--book", book];
    expect(await machine.run(made)).toMatchObject({ code: 0 });
    for (const words of [
      ["invoice", "list", "--book", book],
      ["--version"],
      ["invoice", "--help"],
    ]) {
      expect(await loaded(...words), words.join(" ")).not.toMatch(
        /auth|sign-in|session|lock|keychain/,
      );
    }
  });

  test("a command with a valid access token does not load the modules for OAuth and locking", async () => {
    await login();
    const list = await loaded("item", "list");
    const files = `${list} ${await loaded("auth", "status")}`;
    expect(files).toMatch(/session/);
    expect(files).not.toMatch(/oauth|lock|keychain|login|logout/);
  });
});

describe("signing out", () => {
  test("acct auth logout revokes the tokens at the service, and deletes them", async () => {
    await login();
    const { stderr } = await machine.run(["auth", "logout"]);
    expect(stderr).toBe("Signed out of the profile quay-street-bikes.\n");
    expect([authority.revocations, machine.signIns()]).toEqual([1, []]);
    expect(await machine.run(["item", "list"])).toEqual({
      code: 4,
      stdout: "",
      stderr: "acct: Not signed in: run acct auth login --profile quay-street-bikes.\n",
    });
    expect(await machine.run(["auth", "login", "--profile", "quay-street-bikes"])).toMatchObject({
      code: 0,
    });
  });

  test("acct auth logout deletes the tokens also when the service cannot be reached, with a message", async () => {
    await login();
    await authority.close();
    const { code, stderr } = await machine.run(["auth", "logout"]);
    expect(code).toBe(0);
    expect(stderr).toContain("on this machine; its tokens are forgotten.\n");
    expect(stderr).toMatch(/did not take them back: Cannot reach http.*: nothing listens there\./);
    expect(machine.signIns()).toEqual([]);
  });

  test("acct auth logout --dry-run changes nothing", async () => {
    await login();
    const { stderr } = await machine.run(["auth", "logout", "--dry-run"]);
    expect(stderr).toBe("Nobody would be signed in to the profile quay-street-bikes any more.\n");
    expect([authority.revocations, machine.signIns().length]).toEqual([0, 1]);
  });
});
