import { kitSuite } from "./suite.ts";

kitSuite("process");
