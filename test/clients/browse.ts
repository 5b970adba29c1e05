/** A person at a browser: signs in at the address that a client names, and prints where it leads back. */
import { Browser } from "../service/auth/served.ts";

const [, , url = ""] = process.argv;
const browser = new Browser("https://identity.xero.com");
const { EMAIL: email = "", PASSWORD: password = "" } = process.env;
const consent = await browser.signIn(await browser.open(url), email, password);
process.stdout.write((await browser.allow(consent)).url);
