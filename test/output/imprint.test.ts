/** The imprint of paper: name and register number, under the word of the country. */
import { expect, test } from "vitest";
import { imprintOf } from "../../src/output/letterhead.ts";
import { registerLabel, wordsOf } from "../../src/output/words/languages.ts";

test.each([
  ["FR", "123456782", "Atelier \u00b7 SIREN 123456782"],
  ["FR", "123 456 782 00015", "Atelier \u00b7 SIRET 123 456 782 00015"],
  ["DE", "HRB 12345", "Atelier \u00b7 Registernummer HRB 12345"],
  ["NZ", "9429041234563", "Atelier \u00b7 Company number 9429041234563"],
  ["FR", "", "Atelier"],
])("in %s the number %s stands in the imprint as %s", (CountryCode, RegistrationNumber, text) => {
  const organisation = { Name: "Atelier", CountryCode, RegistrationNumber };
  expect(imprintOf(organisation, registerLabel(wordsOf(CountryCode), RegistrationNumber))).toBe(
    text,
  );
});
