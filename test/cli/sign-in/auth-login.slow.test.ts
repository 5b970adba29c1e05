/** `acct auth login` in real processes, against a service that agrees to everything at once. */
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Authority } from "../authority.ts";
import { newMeeting } from "../meeting.ts";
import { Machine } from "../signed-in.ts";

let authority: Authority;
let machine: Machine;

beforeEach(async () => {
  const met = await newMeeting();
  ({ authority, machine } = met);
  return met.close;
});

const loginWords = (...more: string[]) => Machine.loginWords(authority, ...more);
const login = (...more: string[]) => machine.login(authority, ...more);
const config = () => machine.config();
const toQuay = ["--organisation", "quay street BIKES"];

/** The address that a person is asked to open. */
async function addressOf(running: ReturnType<Machine["start"]>): Promise<URL> {
  const said = await running.waitFor(/code_challenge=\S+\n/);
  return new URL(/http:\S+/.exec(said)?.[0] ?? "");
}

/** Where the service sends a browser from an address, without going there. */
async function sentTo(address: URL): Promise<string> {
  const { headers } = await fetch(address, { redirect: "manual" });
  return headers.get("location") ?? "";
}

describe("signing in with a browser", () => {
  test("a browser sign-in creates a profile for the organisation, and the first profile is the default", async () => {
    const { stdout, stderr } = await login();
    expect(stdout).toBe("");
    expect(stderr).toContain("Signed in to Quay Street Bikes as ann@quay.example.\n");
    expect(stderr).toContain("It is the profile quay-street-bikes, which is used when");
    expect(stderr).toContain(
      `The tokens are kept in ${machine.signIns()[0]}, readable by you alone`,
    );
    expect(await machine.page()).toContain("<h1>You are signed in</h1>");
    expect(config()).toMatchObject({
      defaultProfile: "quay-street-bikes",
      profiles: {
        "quay-street-bikes": {
          baseUrl: authority.baseUrl,
          tenant: "9e0b64a8-2e7a-4f0a-8f6d-3b8e4d1b5c02",
          organisation: "Quay Street Bikes",
          clientId: "till",
        },
      },
    });
    expect(await machine.run(["item", "list"])).toMatchObject({ code: 0 });
    expect(authority.calls.at(-1)).toEqual({
      path: "/api.xro/2.0/Items",
      tenant: "9e0b64a8-2e7a-4f0a-8f6d-3b8e4d1b5c02",
    });
  });

  test("a browser sign-in uses PKCE, state and nonce, and stores the tokens readable by their owner only", async () => {
    const { stderr } = await login();
    const { searchParams } = new URL(/http:\S+/.exec(stderr)?.[0] ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: "till",
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: expect.stringContaining("openid profile email offline_access accounting.transactions"),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const [file = ""] = machine.signIns();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    expect(config().profiles["quay-street-bikes"]).not.toHaveProperty("secrets");
  });

  test("a sign-in for a second organisation creates another profile, and a repeated one does not", async () => {
    await login();
    const { stderr } = await login("--organisation", "Harbour Cafe");
    expect(stderr).toContain("It is the profile harbour-cafe: acct --profile harbour-cafe …");
    await login();
    const { defaultProfile, profiles } = config();
    expect([defaultProfile, ...Object.keys(profiles)]).toEqual([
      "quay-street-bikes",
      "quay-street-bikes",
      "harbour-cafe",
    ]);
    expect(machine.signIns()).toHaveLength(2);
  });

  test("--profile names the profile of a sign-in, and is enough to sign in again", async () => {
    await login(...toQuay, "--profile", "quay");
    const again = await machine.run(["auth", "login", "--profile", "quay", "-o", "json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      profile: "quay",
      organisation: "Quay Street Bikes",
      scopes: expect.arrayContaining(["offline_access"]),
    });
    expect(Object.keys(config().profiles)).toEqual(["quay"]);
  });

  test("a sign-in for an unknown organisation is refused with the names of the others", async () => {
    const wrong = await machine.run(loginWords("--organisation", "Quay"));
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain(
      "acct: There is no organisation Quay; there are Quay Street Bikes, Harbour Cafe.\n",
    );
    const none = await machine.run(loginWords());
    expect(none.code).toBe(2);
    expect(none.stderr).toContain(
      "acct: Which organisation? Give --organisation: there are Quay Street Bikes, Harbour Cafe.\n",
    );
    expect(existsSync(join(machine.home, ".config/acct"))).toBe(false);
  });

  test("a sign-in whose consent is refused stores no tokens, and the command reports it", async () => {
    authority.agrees = false;
    const { code, stderr } = await machine.run(loginWords());
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining("acct: You did not agree, so nobody is signed in.\n"),
    ]);
    expect(await machine.page()).toContain("<h1>You are not signed in</h1>");
  });

  test("a sign-in accepts only a redirect with its own state", async () => {
    const running = machine.start(loginWords(...toQuay, "--no-browser"));
    const address = await addressOf(running);
    const redirect = address.searchParams.get("redirect_uri") ?? "";
    expect((await fetch(`${redirect}?code=stolen&state=guessed`)).status).toBe(400);
    expect((await fetch(redirect.replace("callback", "favicon.ico"))).status).toBe(404);
    // Another name that leads to this machine.
    const rebound = (await sentTo(address)).replace("127.0.0.1", "localhost");
    expect((await fetch(rebound)).status).toBe(404);
    const last = await fetch(address);
    expect([last.status, last.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(await running.done).toMatchObject({ code: 0 });
    await expect(fetch(redirect)).rejects.toThrow();
  });

  test("a sign-in redirect from another issuer is refused", async () => {
    const running = machine.start(loginWords(...toQuay, "--no-browser"));
    const back = new URL(await sentTo(await addressOf(running)));
    back.searchParams.set("iss", "https://evil.example");
    expect((await fetch(back)).status).toBe(400);
    expect(await running.done).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("issuer"),
    });
  });

  test.each([
    ["the address", (url: URL) => url.href],
    ["the code", (url: URL) => url.searchParams.get("code") ?? ""],
  ])("a sign-in without a browser accepts %s when pasted", async (_name, copied) => {
    const running = machine.start(loginWords(...toQuay, "--no-browser"));
    const back = new URL(await sentTo(await addressOf(running)));
    running.child.stdin?.write(`${copied(back)}\n`);
    expect(await running.done).toMatchObject({ code: 0 });
    expect(machine.signIn().secrets.accessToken).toMatch(/^access-/);
  });

  test("a pasted redirect address of another sign-in is refused", async () => {
    const running = machine.start(loginWords("--no-browser"));
    await addressOf(running);
    running.child.stdin?.write("http://127.0.0.1:1/callback?code=theirs&state=theirs\n");
    expect(await running.done).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("acct: That is the address of another sign-in.\n"),
    });
  });

  test("a sign-in ended by Ctrl-C or a time-out leaves no profile and no tokens", async () => {
    const running = machine.start(loginWords("--no-browser"));
    const redirect = (await addressOf(running)).searchParams.get("redirect_uri") ?? "";
    running.child.kill("SIGINT");
    expect(await running.done).toMatchObject({ code: 130 });
    await expect(fetch(redirect)).rejects.toThrow();
    const late = await machine.run(loginWords("--no-browser", "--timeout", "1"));
    expect([late.code, late.stderr]).toEqual([
      4,
      expect.stringContaining("acct: Nobody signed in within 1 second; nothing was changed.\n"),
    ]);
    expect(existsSync(join(machine.home, ".config/acct"))).toBe(false);
  });

  test.each([
    ["the organisation does not exist", ["--organisation", "Quay"], () => undefined, 3],
    [
      "the file of the sign-in cannot be written",
      toQuay,
      () => {
        mkdirSync(join(machine.home, ".config/acct"), { recursive: true });
        writeFileSync(join(machine.home, ".config/acct/sign-ins"), "");
      },
      1,
    ],
    [
      "the profile cannot be written",
      toQuay,
      () => mkdirSync(join(machine.home, ".config/acct/config.json.lock"), { recursive: true }),
      1,
    ],
  ])(
    "issued tokens are revoked when the sign-in fails because %s",
    async (_name, words, arrange, code) => {
      arrange();
      const ran = await machine.run(loginWords(...words));
      expect(ran.code).toBe(code);
      expect([authority.revocations, authority.outstanding]).toEqual([1, 0]);
      expect(existsSync(join(machine.home, ".config/acct/config.json"))).toBe(false);
      if (existsSync(join(machine.home, ".config/acct/config.json.lock"))) {
        expect(machine.signIns()).toEqual([]);
      }
    },
  );

  test("Ctrl-C after tokens were issued revokes them", async () => {
    const running = machine.start(loginWords());
    const { promise, resolve } = Promise.withResolvers<void>();
    authority.beforeListing = async () => {
      running.child.kill("SIGINT");
      await promise;
    };
    expect(await running.done).toMatchObject({ code: 130 });
    resolve();
    expect([authority.revocations, authority.outstanding]).toEqual([1, 0]);
  });

  test("a failed sign-in revokes no tokens at a service that would end all sign-ins of the user", async () => {
    authority.more = { only_this_sign_in_supported: undefined };
    expect(await machine.run(loginWords("--organisation", "Quay"))).toMatchObject({ code: 3 });
    expect(authority.revocations).toBe(0);
  });

  test("an existing profile keeps working when a new sign-in cannot write its settings", async () => {
    await login(...toQuay);
    const lock = join(machine.home, ".config/acct/config.json.lock");
    rmSync(lock);
    mkdirSync(lock);
    expect(await machine.run(loginWords(...toQuay))).toMatchObject({ code: 1 });
    expect(authority.revocations).toBe(0);
    machine.expire();
    expect(await machine.run(["item", "list"])).toMatchObject({ code: 0 });
  });

  test("a sign-in over an unencrypted connection gives a warning", async () => {
    const open = authority.baseUrl.replace("127.0.0.1", "0.0.0.0");
    const ran = await machine.run(["auth", "login", "--base-url", open, "--client-id", "till"]);
    expect(ran.stderr).toMatch(
      /^Warning: the sign-in goes to 0\.0\.0\.0 unencrypted; use an address/,
    );
    expect(ran.stderr).toContain(`calls itself ${authority.origin}; sign in by that address.`);
  });

  test("a browser that cannot be started is reported, and the sign-in address stays valid", async () => {
    const running = machine.start(loginWords(...toQuay), { BROWSER: "false" });
    await running.waitFor(/No browser could be started here\.\n/);
    // Nobody is asked to paste anything where standard input is no terminal.
    await running.waitFor(/\nWaiting up to 300 seconds for a sign-in at that address; --timeout /);
    await fetch(await addressOf(running));
    expect(await running.done).toMatchObject({ code: 0 });
  });

  test.each([
    [
      "a service without sign-in",
      (origin: string) => `${origin}/elsewhere`,
      { issuer: 7 },
      /signs nobody in/,
    ],
    [
      "a service that names another issuer",
      undefined,
      { issuer: "https://books.example" },
      /calls itself https:\/\/books\.example/,
    ],
  ])("a sign-in at %s is refused with the reason", async (_name, elsewhere, document, said) => {
    authority.more = document;
    const baseUrl = elsewhere?.(authority.origin) ?? authority.baseUrl;
    const ran = await machine.run(["auth", "login", "--base-url", baseUrl, "--client-id", "till"]);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(said)]);
  });

  test.each([
    [["--preset", "clowd"], /no preset "clowd". Did you mean cloud\?/],
    [["--preset", "cloud"], /As which app\? .*http:\/\/localhost:9321\/callback/],
    [[], /Which service\? Give --base-url/],
    [["--base-url", "http://127.0.0.1:1"], /As which app\?/],
    [["--base-url", "ftp://x"], /no address of a service/],
    [["--demo"], /needs no sign-in/],
    [["--redirect-uri", "https://evil.example/"], /can come back to this machine alone/],
    [["--timeout", "soon"], /--timeout takes a number of seconds/],
    [["--client-credentials"], /set ACCT_CLIENT_SECRET/],
  ])("acct auth login %j is refused as a usage error", async (words, said) => {
    const isAboutAddress = words.some(
      (word) => word.startsWith("--redirect") || word === "--client-credentials",
    );
    const ran = await machine.run(
      isAboutAddress ? loginWords(...words) : ["auth", "login", ...words],
    );
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(said)]);
  });
});

describe("signing in as an app", () => {
  const words = () =>
    loginWords(...toQuay, "--client-credentials", "--scope", "accounting.transactions");

  test("an app signs in with a secret from the environment, and gets new tokens with it when they expire", async () => {
    const secret = { ACCT_CLIENT_SECRET: "s3cr3t" };
    const ran = await machine.run(words(), secret);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("as the app.")]);
    const [asked] = authority.asked;
    expect(asked?.grant).toBe("client_credentials");
    expect(asked?.authorization).toBe(`Basic ${Buffer.from("till:s3cr3t").toString("base64")}`);
    machine.expire();
    expect(await machine.run(["item", "list"])).toMatchObject({ code: 0 });
    expect(authority.asked.map(({ grant }) => grant)).toEqual([
      "client_credentials",
      "client_credentials",
    ]);
    expect(JSON.stringify(config())).not.toContain("s3cr3t");
  });

  test("an app signs in with a secret from standard input, which is never printed", async () => {
    const running = machine.start([...words(), "--client-secret-stdin", "--verbose"]);
    running.child.stdin?.end("s3cr3t\n");
    const { code, stdout, stderr } = await running.done;
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("grant_type=client_credentials");
    expect(stderr).not.toMatch(/s3cr3t|czNjcjN0|access-/);
    expect(machine.signIn().secrets.clientSecret).toBe("s3cr3t");
  });

  test("a sign-in with a wrong app secret is refused, and nothing is stored", async () => {
    authority.faults.push("invalid_client");
    const ran = await machine.run(words(), { ACCT_CLIENT_SECRET: "wrong" });
    expect([ran.code, ran.stderr]).toEqual([
      4,
      "acct: The service does not accept the app: its client id or its secret is wrong.\n",
    ]);
    expect(existsSync(join(machine.home, ".config/acct"))).toBe(false);
  });
});
