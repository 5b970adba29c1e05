/** A quarter of the company's year on PostgreSQL, through `acct serve`, as a bookkeeper far away keeps it. */

import { Client } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { serveBuilt } from "../cli/built.ts";
import { type Cluster, findPostgres, startCluster } from "../postgres/cluster.ts";
import { mailServer } from "../support/mail-server.ts";
import { Bookkeeper, cli } from "./bookkeeper.ts";
import { checked } from "./checks.ts";
import { makeBook, openBooks } from "./company.ts";
import { countries } from "./country.ts";
import { planOf } from "./events.ts";
import { Year } from "./month.ts";

const hasPostgres = findPostgres() !== undefined;
if (!hasPostgres) {
  console.log("left out, because PostgreSQL is not installed: a quarter of a company's year on it");
}

describe.runIf(hasPostgres)("a company served on PostgreSQL", () => {
  let cluster: Cluster | undefined;
  const keepers: Bookkeeper[] = [];
  afterAll(async () => {
    await cluster?.stop();
    for (const each of keepers) each.clear();
  });

  test("after a year of records on the server, the year is closed, a return published, and all reports agree", {
    timeout: 600_000,
  }, async () => {
    cluster = await startCluster();
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    await client.query("create database books");
    await client.end();
    const address = new URL(cluster.url);
    address.pathname = "/books";
    const ACCT_DATABASE = address.href;
    // Where the database is, and at the desk that has nothing but an address and a token.
    const office = new Bookkeeper({ ACCT_DATABASE });
    keepers.push(office);
    // A server makes what templates say up to its own today.
    const plan = planOf(countries.GB, { hasTemplates: false });
    await makeBook(office, plan);
    await office.ok(cli`app add Desk`);
    // Tokens are counted by the clock of the server.
    office.on("today");
    const ACCT_TOKEN = (await office.ok(cli`app token Desk`)).trim();
    const mail = await mailServer();
    const env = { ACCT_SMTP_URL: mail.url };
    const { baseUrl } = await serveBuilt(
      ["--database", ACCT_DATABASE, "--port", "0", "--no-rate-limit"],
      { HOME: office.home, PATH: process.env.PATH ?? "", TZ: "UTC", ...env },
    );
    const desk = new Bookkeeper({ ACCT_BASE_URL: baseUrl, ACCT_TOKEN });
    keepers.push(desk);
    const year = new Year(desk, plan, await openBooks(desk, plan));
    await year.addRules();
    for (const month of [0, 1, 2]) {
      await year.keep(month, { env });
      expect((await checked(year, month, office)).differences).toEqual([]);
    }
    expect(mail.messages).toBe(year.emailed);
  });
});
