/** A server of several organisations: each is administered by its own advisers, and sees its own log. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeBook } from "../../src/admin/book.ts";
import { serve } from "../../src/admin/serve-book.ts";
import { addMember, findMember } from "../../src/admin/users.ts";
import { placeInFolder } from "../../src/platform/book-address.ts";
import { newDesk } from "../cli/real.ts";
import type { Desk } from "../service/auth/served.ts";
import { textOf } from "./browsing.ts";
import { atPages } from "./office.ts";

const { acct } = newDesk();
const password = "correct horse battery";

/** Quay has Ana, and Kiln has Bo, as advisers; Cy is an adviser of both. */
async function twoOrganisations() {
  const folder = mkdtempSync(join(tmpdir(), "acct-several-"));
  const operator = { user: "Olga Operator" };
  const tenants: Record<string, string> = {};
  for (const [name, who] of [
    ["Quay", "ana"],
    ["Kiln", "bo"],
  ] as const) {
    await makeBook(join(folder, `${name}.acct`), { name, country: "NZ" }, operator);
    const path = placeInFolder({ folder, organisation: name });
    const given = { path, clock: Date.now, operator };
    await addMember(given, { email: `${who}@x.example`, role: "adviser", password });
    await addMember(given, { email: "cy@x.example", role: "adviser", password });
  }
  const served = await serve(placeInFolder({ folder, organisation: undefined }), {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    hasPages: true,
  });
  onTestFinished(async () => {
    await served.close();
    rmSync(folder, { recursive: true });
  });
  const at = { origin: served.origin } as Desk;
  const cy = await atPages(at, "cy@x.example", password);
  for (const [, tenant = "", name = ""] of (await cy.see("/books")).html.matchAll(
    /href="\/books\/([^/]+)\/">([^<]+)/g,
  )) {
    tenants[name] = tenant;
  }
  return { at, folder, tenants };
}

test("an adviser can administer their own organisation, and sees nothing of the other", async () => {
  const { at, tenants } = await twoOrganisations();
  const ana = await atPages(at, "ana@x.example", password);
  expect((await ana.see("/admin")).url).toBe(`${at.origin}/admin/${tenants.Quay}/people`);
  expect((await ana.see(`/admin/${tenants.Kiln}/people`)).status).toBe(404);
  const invited = { email: "eve@x.example", role: "adviser", password: "a first password" };
  expect((await ana.send(`/admin/${tenants.Kiln}/people`, invited)).status).toBe(404);
  const cy = await atPages(at, "cy@x.example", password);
  expect((await cy.see("/admin")).url).toBe(`${at.origin}/me`);
  for (const name of ["Quay", "Kiln"]) {
    expect((await cy.see(`/admin/${tenants[name]}/people`)).status).toBe(200);
  }
});

test("each organisation's audit log has its own entries, and the operator's log has all others", async () => {
  const { at, folder, tenants } = await twoOrganisations();
  await atPages(at, "nobody@x.example", "guessed").catch(() => undefined);
  await atPages(at, "ana@x.example", "guessed").catch(() => undefined);
  const ana = await atPages(at, "ana@x.example", password);
  const bo = await atPages(at, "bo@x.example", password);
  const quay = textOf((await ana.see(`/admin/${tenants.Quay}/audit`)).html);
  const kiln = textOf((await bo.see(`/admin/${tenants.Kiln}/audit`)).html);
  expect(quay).toContain("gave a wrong password for ana@x.example");
  expect(quay).toContain("let in cy@x.example");
  expect(kiln).toContain("let in cy@x.example");
  expect(quay).not.toContain("bo@x.example");
  expect(kiln).not.toContain("ana@x.example");
  for (const log of [quay, kiln]) expect(log).not.toContain("nobody@x.example");
  const env = { ACCT_BOOK: "", ACCT_DATA: folder, ACCT_TENANT: "Quay" };
  const { stdout } = await acct("audit list --columns Act", { env });
  expect(stdout).toContain("gave a wrong password for nobody@x.example");
  expect(stdout).not.toContain("bo@x.example");
  // An entry of the other organisation is not had by its number either.
  const { stdout: all } = await acct("audit list --columns AuditEntryID,Act -o csv", {
    env: { ...env, ACCT_TENANT: "Kiln" },
  });
  const [, id = ""] = /^(S\d+),let in bo@x.example/m.exec(all) ?? [];
  expect((await ana.see(`/admin/${tenants.Quay}/audit/${id}`)).status).toBe(404);
  expect((await bo.see(`/admin/${tenants.Kiln}/audit/${id}`)).status).toBe(200);
});

test("a user known to the server keeps name and password when another organisation adds them", async () => {
  const { at, folder, tenants } = await twoOrganisations();
  const bo = await atPages(at, "bo@x.example", password);
  const invited = {
    email: "ana@x.example",
    name: "Mallory",
    role: "standard",
    password: "taken over by others",
  };
  const after = await bo.send(`/admin/${tenants.Kiln}/people`, invited);
  expect(textOf(after.html)).toContain("They may sign in from now on.");
  expect((await (await atPages(at, "ana@x.example", password)).see("/me")).status).toBe(200);
  const path = placeInFolder({ folder, organisation: "Kiln" });
  const given = { path, clock: Date.now, operator: {} };
  expect((await findMember(given, "ana@x.example")).name).toBe("ana");
});

test("an organisation can register and remove only its own machine apps", async () => {
  const { at, folder, tenants } = await twoOrganisations();
  const env = { ACCT_BOOK: "", ACCT_DATA: folder };
  await acct("app add Shared --redirect-uri https://shared.example/back", { env });
  await acct("app add Theirs --tenant Kiln", { env });
  const ana = await atPages(at, "ana@x.example", password);
  const base = `/admin/${tenants.Quay}/apps`;
  const made = await ana.send(base, {
    name: "Nightly",
    kind: "web",
    redirect: "https://x.example/",
  });
  expect(textOf(made.html)).toContain("Nightly is registered");
  const list = await ana.see(base);
  expect(textOf(list.html)).toMatch(/Nightly Machine/);
  for (const name of ["Shared", "Theirs"]) expect(textOf(list.html)).not.toContain(name);
  const { stdout } = await acct("app list -o csv --columns Name,ClientID", { env });
  for (const name of ["Shared", "Theirs"]) {
    const [, id = ""] = new RegExp(`^${name},(.+)$`, "m").exec(stdout) ?? [];
    for (const act of ["remove", "secret"]) {
      expect((await ana.see(`${base}/${id}/${act}`)).status).toBe(404);
      expect((await ana.send(`${base}/${id}/${act}`)).status).toBe(404);
    }
  }
  expect((await acct("app list -o csv --columns Name", { env })).stdout).toContain("Shared");
});
