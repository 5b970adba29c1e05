/** One `acct serve` for many organisations: a folder of books, and the command line against it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { builtDesk } from "../built.ts";

const { home, ok, acct, serving } = builtDesk();
const data = join(home, "books");
const kiln = ["--data", data, "--tenant", "Blue Kiln Pottery"];
const quay = ["--data", data, "--tenant", "quay street bikes"];

beforeAll(() => {
  for (const name of ["Blue Kiln Pottery", "Quay Street Bikes"]) {
    ok(["init", "--name", name, "--country", "NZ", "--data", data]);
  }
  ok(["app", "add", "Kiln till", ...kiln]);
  ok(["app", "add", "Quay till", ...quay]);
});

const tokenOf = (app: string, where: readonly string[]) =>
  ok(["app", "token", app, ...where]).trim();

test("on a folder of several organisations a command is refused unless it names one of them", () => {
  ok(["contact", "create", "--name", "Ariki", ...kiln]);
  expect(ok(["contact", "list", "-o", "csv", "--columns", "Name", ...kiln])).toBe("Name\nAriki\n");
  expect(ok(["contact", "list", "-o", "csv", "--columns", "Name", ...quay])).toBe("Name\n");
  const { status, stderr } = acct(["contact", "list", "--data", data]);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^acct: The folder .*books has 2 organisations; say which with --tenant: Blue Kiln/,
    ),
  ]);
  expect(acct(["contact", "list", "--data", data, "--tenant", "Nobody"]).status).toBe(3);
  expect(acct(["serve", "--data", join(home, "nowhere")])).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/There is no folder at .*nowhere\.\n$/),
  });
  expect(acct(["contact", "list", ...kiln, "--book", "x"])).toMatchObject({
    status: 2,
    stderr: "acct: --book and --data each say where to work; give one of them.\n",
  });
});

test("--tenant with a book in a file is accepted if it names the book's organisation, and otherwise refused", () => {
  const book = ["--book", join(data, "blue-kiln-pottery.acct")];
  const id = ok(["organisation", "show", "-o", "id", ...kiln]).trim();
  for (const name of ["blue kiln POTTERY", id.toUpperCase()]) {
    ok(["contact", "list", ...book, "--tenant", name]);
  }
  const said = /^acct: The file \S+blue-kiln-pottery\.acct has no organisation called Quay\.\n$/;
  for (const words of [
    ["contact", "list"],
    ["contact", "create", "--name", "Nobody"],
    ["book", "info"],
    ["book", "backup", join(home, "quay.acct")],
    ["app", "list"],
    ["serve"],
    ["profile", "add", "quay"],
  ]) {
    const { status, stdout, stderr } = acct([...words, ...book, "--tenant", "Quay"]);
    expect([status, stdout, stderr], words.join(" ")).toEqual([3, "", expect.stringMatching(said)]);
  }
  const found = acct(["doctor", ...book, "--tenant", "Quay"]);
  expect([found.status, found.stdout]).toEqual([3, expect.stringContaining("organisation called")]);
  // Set for elsewhere.
  ok(["contact", "list", ...book], { ACCT_TENANT: "Quay" });
});

describe("commands for the whole server, which need no organisation", () => {
  const whole = ["--data", data];
  const uri = ["--redirect-uri", "http://127.0.0.1/back"];
  const which = new RegExp(
    "^acct: The folder .*books has 2 organisations; say which with --tenant: " +
      "Blue Kiln Pottery \\(.{36}\\), Quay Street Bikes \\(.{36}\\)\\.\n$",
  );
  const csv = (...words: string[]) => ok([...words, "-o", "csv", "--columns", "Name,Organisation"]);
  const refused = (...words: string[]) => {
    const { status, stdout, stderr } = acct([...words, ...whole]);
    return [status, stdout, which.test(stderr) || stderr];
  };

  test("apps for sign-in are added to the whole server, get new secrets, are listed and removed", () => {
    ok(["app", "add", "Desk", "--kind", "pkce", ...uri, ...whole]);
    ok(["app", "add", "Web", "--redirect-uri", "https://web.example/back", ...whole]);
    const listed = "Name,Organisation\nKiln till,Blue Kiln Pottery\nQuay till,Quay Street Bikes\n";
    expect(csv("app", "list", ...whole)).toBe(`${listed}Desk,\nWeb,\n`);
    expect(ok(["app", "list", ...whole])).toMatch(/^Kiln till +machine .*Blue Kiln Pottery$/m);
    expect(csv("app", "list", ...quay)).toBe(
      "Name,Organisation\nQuay till,Quay Street Bikes\nDesk,\nWeb,\n",
    );
    const { ClientSecret } = JSON.parse(
      ok(["app", "secret", "web", "--yes", "-o", "json", ...whole]),
    );
    expect(ClientSecret).toMatch(/^[\w-]{43}$/);
    ok(["app", "remove", "Web", "--yes", ...whole]);
    ok(["app", "remove", "Desk", "--yes", ...whole]);
    expect(csv("app", "list", ...whole)).toBe(listed);
    for (const kind of ["web", "pkce"]) {
      expect(acct(["app", "add", "Shop", "--kind", kind, ...whole])).toMatchObject({
        status: 2,
        stderr: `acct: A ${kind} app needs a --redirect-uri: where people go when they have signed in.\n`,
      });
    }
  });

  test("a machine app is added for a named organisation, and later commands need not name it", () => {
    for (const more of [[], ["--dry-run"], ["--kind", "machine"]]) {
      expect(refused("app", "add", "Robot", ...more)).toEqual([2, "", true]);
    }
    const claims = ok(["app", "token", "Quay till", ...whole]).split(".")[1] ?? "";
    const { tenant } = JSON.parse(Buffer.from(claims, "base64url").toString()).owner;
    expect(tenant).toBe(ok(["organisation", "show", "-o", "id", ...quay]).trim());
    ok(["app", "add", "Desk", "--kind", "pkce", ...uri, ...whole]);
    for (const more of [[], ["--dry-run"]]) {
      expect(refused("app", "token", "Desk", ...more)).toEqual([2, "", true]);
    }
    ok(["app", "token", "Desk", ...kiln]);
    ok(["app", "remove", "Desk", "--yes", ...whole]);
  });

  test("an added app is printed with its organisation, as in the list", () => {
    const robot = "Name,Organisation\nRobot,Quay Street Bikes\n";
    expect(csv("app", "add", "Robot", ...quay)).toBe(robot);
    expect(csv("app", "secret", "Robot", "--yes", ...whole)).toBe(robot);
    ok(["app", "remove", "Robot", "--yes", ...whole]);
    const desk = csv("app", "add", "Desk", "--kind", "pkce", ...uri, ...quay);
    expect(desk).toBe("Name,Organisation\nDesk,\n");
    ok(["app", "remove", "Desk", "--yes", ...whole]);
    // Where there is one organisation, its name in every line would say nothing.
    expect(ok(["app", "list", "-o", "csv", ...quay])).toMatch(
      /^Name,Kind,ClientID,CreatedDateUTC\n/,
    );
  });

  test("a user is added to a named organisation, and has one password for all organisations", () => {
    const given = (words: readonly string[], input: string) => acct(words, {}, `${input}\n`);
    const add = ["user", "add", "ana@x.example", "--role", "standard", "--password-stdin"];
    expect(given([...add, ...kiln], "correct horse battery").status).toBe(0);
    const password = ["user", "password", "ana@x.example", "--password-stdin"];
    expect(given([...password, ...whole], "another horse and cart")).toMatchObject({
      status: 0,
      stderr: "ana@x.example has another password, and is signed out everywhere.\n",
    });
    // Where one is named, it is for those who work there.
    expect(given([...password, ...quay], "another horse and cart").status).toBe(3);
    for (const words of [
      ["add", "bob@x.example", "--role", "standard"],
      ["list"],
      ["show", "ana@x.example"],
      ["role", "ana@x.example", "adviser"],
      ["remove", "ana@x.example", "--yes"],
    ]) {
      expect(refused("user", ...words), words.join(" ")).toEqual([2, "", true]);
    }
    expect(acct(["user", "password", "nobody@x.example", "--dry-run", ...whole])).toMatchObject({
      status: 3,
      stderr: "acct: Nobody here has the address nobody@x.example.\n",
    });
  });

  test("a missing folder of books is refused", () => {
    for (const words of [
      ["app", "list"],
      ["app", "add", "Desk", "--kind", "pkce", ...uri],
    ]) {
      expect(acct([...words, "--data", join(home, "nowhere")])).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/There is no folder at .*nowhere\.\n$/),
      });
    }
  });
});

test("the file of a new organisation gets a name that is not in use", () => {
  const made = ["directory", "Same", "same!"].map((name) =>
    ok(["init", "--name", name, "--country", "NZ", "--data", join(home, "more"), "-o", "json"]),
  );
  expect(made.map((each) => JSON.parse(each).path.replace(home, ""))).toEqual([
    "/more/directory-2.acct",
    "/more/same.acct",
    "/more/same-2.acct",
  ]);
});

test("two organisations of a folder cannot have the same name", () => {
  const folder = join(home, "named");
  const where = ["--data", folder];
  ok(["init", "--name", "Quay Books", "--country", "NZ", ...where]);
  ok(["init", "--demo", ...where]);
  const files = () => readdirSync(folder).filter((each) => each.endsWith(".acct"));
  for (const [words, name] of [
    [["--name", "QUAY Books", "--country", "UK"], "Quay Books"],
    [["--name", "quay books", "--country", "NZ", "--dry-run"], "Quay Books"],
    [["--demo"], "Tern & Tide Pottery"],
  ] as const) {
    expect(acct(["init", ...words, ...where])).toEqual({
      status: 5,
      stdout: "",
      stderr: `acct: There is an organisation ${name} already.\n`,
    });
  }
  expect(files()).toEqual(["demo.acct", "quay-books.acct"]);
});

test("the next command suggested after acct init is quoted for a shell", () => {
  const made = (env: Record<string, string>, ...where: readonly string[]) => {
    const words = ["init", "--name", "O'Neill & Sons", "--country", "NZ", ...where];
    return /^Next: (.*) account create/m.exec(acct(words, env).stderr)?.[1];
  };
  const tenant = "--tenant 'O'\\''Neill & Sons'";
  const folder = join(home, "two words");
  expect(made({}, "--data", folder)).toBe(`acct --data '${folder}' ${tenant}`);
  expect(made({ ACCT_DATA: join(folder, "more") })).toBe(`acct ${tenant}`);
  expect(made({}, "--book", join(folder, "o.acct"))).toBe(
    `acct --book '${join(folder, "o.acct")}'`,
  );
});

test("a token is valid for its organisation only, and a new book in a served folder is served at once", async () => {
  const { baseUrl, process: child, ended } = await serving("--data", data);
  const as = (app: string, where: readonly string[]) => ({
    ACCT_BASE_URL: baseUrl,
    ACCT_TOKEN: tokenOf(app, where),
  });
  const name = ["organisation", "show", "-o", "json", "--columns", "Name,OrganisationID"];
  const [first, second] = [as("Kiln till", kiln), as("Quay till", quay)].map((env) => ({
    env,
    organisation: JSON.parse(ok(name, env)),
  }));
  expect([first?.organisation.Name, second?.organisation.Name]).toEqual([
    "Blue Kiln Pottery",
    "Quay Street Bikes",
  ]);
  const other = { ...first?.env, ACCT_TENANT: second?.organisation.OrganisationID };
  expect(acct(name, other as Record<string, string>).status).toBe(4);
  const named = { ...first?.env, ACCT_TENANT: "Quay Street Bikes" };
  expect(acct(name, named as Record<string, string>)).toMatchObject({
    status: 3,
    stderr: expect.stringContaining(
      "There is no organisation Quay Street Bikes; there is only Blue Kiln Pottery.",
    ),
  });
  ok(["init", "--name", "Late Ltd", "--country", "GB", "--data", data]);
  const late = ["--data", data, "--tenant", "Late Ltd"];
  ok(["app", "add", "Late till", ...late]);
  expect(JSON.parse(ok(name, as("Late till", late))).Name).toBe("Late Ltd");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("due repeating invoices are generated in all organisations of a served folder", async () => {
  for (const where of [kiln, quay]) {
    ok(["contact", "create", "--name", "Tenant", ...where]);
    const head = ["--contact", "Tenant", "--reference", "Rent", "--status", "AUTHORISED"];
    const when = ["--every", "1", "--unit", "WEEKLY", "--start-date", "yesterday"];
    const due = ["--due-date", "7", "--due-date-type", "DAYSAFTERBILLDATE"];
    const line = ["--line", "description=Rent,unit-amount=400,account=200"];
    ok(["repeating-invoice", "create", ...head, ...when, ...due, ...line, ...where]);
  }
  const { process: child, ended } = await serving("--data", data);
  const made = (where: readonly string[]) =>
    ok([
      "invoice",
      "list",
      "--where",
      'Reference=="Rent"',
      "-o",
      "csv",
      "--columns",
      "Total",
      ...where,
    ]);
  while (made(kiln) !== "Total\n460.00\n" || made(quay) !== "Total\n460.00\n");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
