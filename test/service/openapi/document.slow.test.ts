import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { pathOf } from "../../../src/resources/field.ts";
import { resources } from "../../../src/resources/index.ts";
import { allRoutes } from "../../../src/service/api/routing.ts";
import { describeApi } from "../../../src/service/openapi/document.ts";
import { contact, invoiced, type Json, paid, type World, world } from "../fixture.ts";

const baseUrl = "http://127.0.0.1:9320/api.xro/2.0";
// As a client reads it.
const document: Json = JSON.parse(JSON.stringify(describeApi(allRoutes(), baseUrl)));

/** Every object inside a value, with the way to it. */
function* objectsIn(value: Json, path = "#"): Generator<[string, Json]> {
  if (typeof value !== "object" || value === null) return;
  yield [path, value];
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${path}/${name}`);
}

function at(reference: string): Json {
  return reference
    .slice(2)
    .split("/")
    .reduce((inner, name) => inner?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

test("the API description is a valid OpenAPI 3.1 document", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(document.openapi).toBe("3.1.0");
});

test("every reference in the API description resolves, and every operation has a unique name", () => {
  const references = [...objectsIn(document)].flatMap(([, each]) => each.$ref ?? []);
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((each) => at(each) === undefined)).toEqual([]);
  const names = [...objectsIn(document.paths)].flatMap(([, each]) => each.operationId ?? []);
  expect(names).toEqual([...new Set(names)]);
  const papers = allRoutes().filter((each) => each.printed && each.resource?.printed === true);
  for (const { path } of papers) expect(document.paths).toHaveProperty([`${path}/pdf`, "get"]);
  expect(papers).toHaveLength(4);
  expect(names).toHaveLength(allRoutes().length + papers.length);
});

test("the API description has every route of the service, with its parameters", () => {
  for (const { method, path } of allRoutes()) {
    expect(document.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(document.paths[path].parameters.map((each: Json) => each.name)).toEqual(named);
  }
});

describe.each(resources)("API description of $name", (resource) => {
  test("the schema of a resource in the API description has all its fields", () => {
    const { properties } = document.components.schemas[resource.name];
    const sent = document.components.schemas[`${resource.name}Input`].properties;
    for (const [name, field] of Object.entries(resource.fields)) {
      expect(Object.keys(properties)).toContain(name);
      expect(properties[name].readOnly ?? false).toBe(field.readOnly ?? false);
      expect(name in sent).toBe(field.readOnly !== true);
    }
  });
});

test("types, lengths, values and limits in the API description equal those of the resources", () => {
  const { Invoice, ItemInput } = document.components.schemas;
  expect(Invoice.properties.Type.enum).toEqual(["ACCREC", "ACCPAY"]);
  const { LineAmountTypes } = document.components.schemas.Quote.properties;
  expect(LineAmountTypes).toMatchObject({
    enum: ["EXCLUSIVE", "INCLUSIVE", "NOTAX"],
    default: "EXCLUSIVE",
  });
  expect(Invoice.properties.AmountDue).toMatchObject({ type: "number", readOnly: true });
  expect(Invoice.required).toContain("InvoiceID");
  expect(ItemInput.properties.Code).toEqual({ type: "string", maxLength: 30 });
  const { put } = document.paths["/Items"];
  const [several, one] = put.requestBody.content["application/json"].schema.anyOf;
  expect(several.properties.Items.maxItems).toBe(500);
  expect(one.allOf[1]).toEqual({ required: ["Code"] });
  const named = (path: string): string[] =>
    document.paths[path].get.parameters.map(
      (each: Json) => each.$ref?.split("/").at(-1) ?? each.name,
    );
  expect(named("/Items")).toEqual(["tenant", "where", "order", "modifiedSince", "unitdp"]);
  expect(put.parameters).toContainEqual({ $ref: "#/components/parameters/idempotencyKey" });
  expect(named("/Invoices")).toEqual(
    expect.arrayContaining(["IDs", "Statuses", "createdByMyApp", "includeArchived"]),
  );
});

test("the service serves its API description", async () => {
  const given = await world();
  expect(await given.ok("GET", "/openapi.json")).toEqual(document);
});

describe("real answers compared with the API description", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, "openapi");
  const check = (method: string, path: string): ValidateFunction => {
    const { content } = document.paths[path][method].responses["200"];
    const { $ref } = content["application/json"].schema;
    return ajv.compile({ $ref: `openapi${$ref}` });
  };

  async function filled(): Promise<World> {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED", Reference: "R" });
    await paid(given, made, { Amount: 10 });
    await given.ok("PUT", "/Items", { Code: "MUG", SalesDetails: { UnitPrice: 3.5 } });
    await given.ok("PUT", "/TrackingCategories", { Name: "Studio" });
    const { ContactID } = await contact(given, { EmailAddress: "a@x.example" });
    const order = { Contact: { ContactID }, LineItems: [{ Description: "As discussed" }] };
    await given.ok("PUT", "/PurchaseOrders", { ...order, DeliveryDate: "2026-03-20" });
    await given.ok("PUT", "/Quotes", { ...order, ExpiryDate: "2026-04-01" });
    await given.ok("PUT", "/Extensions/BankStatements", {
      BankAccount: { Code: "090" },
      OpeningBalance: 10,
      StatementLines: [
        { Key: "1", Date: "2026-03-02", Amount: -3, Payee: "Post", References: ["a"] },
      ],
    });
    await given.ok("PUT", "/Extensions/BankRules", {
      Name: "Post",
      Conditions: [{ Field: "payee", Value: "post" }],
      Contact: { ContactID },
      Lines: [{ AccountCode: "425" }],
    });
    await given.ok("PUT", "/Extensions/Assets", {
      Name: "Laptop",
      PurchaseDate: "2026-01-10",
      Cost: 2400,
      Life: 3,
      AssetAccount: { Code: "720" },
    });
    await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
      query: { to: "2026-01-31" },
    });
    return given;
  }

  function holds(method: string, path: string, answer: Json): void {
    const validate = check(method, path);
    validate(answer);
    expect(validate.errors ?? [], JSON.stringify(answer).slice(0, 2000)).toEqual([]);
  }

  test.each(resources.filter(({ collection }) => collection.includes("GET")))(
    "the list of $plural and each single record conform to the API description",
    async (resource) => {
      const { plural, id } = resource;
      const path = pathOf(resource);
      const given = await filled();
      if (document.paths[path] === undefined) throw new Error(`There is no address of ${plural}.`);
      for (const query of [{}, { page: "1" }]) {
        const list = await given.ok("GET", path, undefined, { query: query as never });
        holds("get", path, list);
        const single = `${path}/{${id}}`;
        if (document.paths[single]?.get === undefined) continue;
        for (const record of list[plural].slice(0, 3)) {
          const key = encodeURIComponent(record[id]);
          holds("get", single, await given.ok("GET", `${path}/${key}`));
        }
      }
    },
  );

  test("the comparison detects an answer that does not conform to the API description", async () => {
    const given = await filled();
    const answer = await given.ok("GET", "/Items");
    const validate = check("get", "/Items");
    expect(validate(answer)).toBe(true);
    const [{ ItemID: _, ...nameless }] = answer.Items;
    expect(validate({ ...answer, Items: [nameless] })).toBe(false);
    expect(validate({ ...answer, Items: [{ ...answer.Items[0], IsSold: "true" }] })).toBe(false);
    expect(validate({ ...answer, Status: "ok" })).toBe(false);
  });

  test("answers to writes, refusals, histories and reports conform to the API description", async () => {
    const given = await filled();
    holds("put", "/Items", await given.ok("PUT", "/Items", { Items: [{ Code: "A" }] }));
    const query = { SummarizeErrors: "false" };
    const body = { Items: [{ Code: "B" }, { Code: "A" }] };
    holds("put", "/Items", await given.ok("PUT", "/Items", body, { query }));
    const [{ InvoiceID }] = (await given.ok("GET", "/Invoices")).Invoices;
    const history = "/Invoices/{InvoiceID}/History";
    holds("get", history, await given.ok("GET", `/Invoices/${InvoiceID}/History`));
    for (const report of ["ProfitAndLoss", "BalanceSheet", "TrialBalance"]) {
      holds("get", `/Reports/${report}`, await given.ok("GET", `/Reports/${report}`));
    }
    const refusal = ajv.compile({ $ref: "openapi#/components/schemas/ApiException" });
    const refused = await given.ask("PUT", "/Items", { Code: "A" });
    expect([refused.status, refusal(refused.json)]).toEqual([400, true]);
  });
});
