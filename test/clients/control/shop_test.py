"""The tests of the shop in Python, whose server is asked by its control requests alone."""

import json, subprocess, unittest, urllib.error, urllib.parse, urllib.request


def ask(method, url, body=None, headers={}):
    headers = {"content-type": "application/json", "accept": "application/json", **headers}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read()


class Shop:
    """The app: writes orders as invoices and takings as payments."""

    def __init__(self, url, tenant, token):
        self.url = url
        self.headers = {"authorization": "Bearer " + token, "xero-tenant-id": tenant}

    def send(self, path, body, key):
        for _ in range(3):
            headers = {**self.headers, "idempotency-key": key}
            status, answer = ask("PUT", self.url + path, body, headers)
            if status < 500:
                break
        return status, answer

    def order(self, number, buyer, amount):
        line = {"Description": "Goods", "Quantity": 1, "UnitAmount": amount, "AccountCode": "200"}
        sale = {"Type": "ACCREC", "Status": "AUTHORISED", "InvoiceNumber": number}
        days = {"Date": "2026-03-01", "DueDate": "2026-03-20"}
        body = {**sale, **days, "Contact": {"Name": buyer}, "LineItems": [line]}
        return self.send("/Invoices", body, number)

    def paid(self, invoice, amount):
        payment = {"Invoice": {"InvoiceID": invoice}, "Account": {"Code": "091"}}
        body = {**payment, "Date": "2026-03-01", "Amount": amount}
        return self.send("/Payments", body, "paid " + invoice)

    def overdue(self, day):
        where = f"AmountDue>0 AND DueDate<DateTime({day.replace('-', ',')})"
        query = urllib.parse.urlencode({"where": where})
        _, answer = ask("GET", f"{self.url}/Invoices?{query}", None, self.headers)
        return [invoice["InvoiceNumber"] for invoice in answer["Invoices"]]


class ShopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        words = ["acct", "serve", "--ephemeral", "--ready", "json", "--seed", "shop.yaml"]
        words += ["--clock", "2026-03-01T09:00+13:00", "--ids", "7"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        cls.process = cls.enterClassContext(subprocess.Popen(words, **pipes))
        cls.acct = json.loads(cls.process.stdout.readline())

    def control(self, method, path, body=None):
        key = {"x-acct-test": self.acct["controlKey"]}
        status, answer = ask(method, self.acct["control"] + path, body, key)
        self.assertEqual(status, 200, answer)
        return answer

    def setUp(self):
        self.control("POST", "/restore", {})
        self.shop = self.shop_as({})

    def tearDown(self):
        self.assertEqual(self.control("GET", "/ledger/verify"), [])

    def shop_as(self, person):
        token = self.control("POST", "/tokens", person)["token"]
        return Shop(self.acct["url"], self.acct["tenant"], token)

    def balance(self, code):
        return self.control("GET", "/ledger/balances")[code]

    def test_an_order_is_an_invoice_that_the_customer_owes(self):
        self.shop.order("A-1", "Ann", 100)
        self.assertEqual(self.balance("610"), "115.00")

    def test_takings_pay_the_invoice_and_go_into_the_till(self):
        _, answer = self.shop.order("A-2", "Ann", 100)
        self.shop.paid(answer["Invoices"][0]["InvoiceID"], 115)
        self.assertEqual([self.balance("610"), self.balance("091")], ["0.00", "115.00"])

    def test_an_order_whose_answer_was_lost_is_written_once(self):
        lost = {"method": "PUT", "path": "/Invoices", "kind": "500-after"}
        fault = self.control("POST", "/fail", lost)["id"]
        self.assertEqual(self.shop.order("A-3", "Ann", 100)[0], 200)
        self.assertEqual(self.control("GET", f"/fail/{fault}")["hits"], 1)
        self.assertEqual(len(self.control("GET", "/ledger/journals")), 1)

    def test_the_shop_gives_up_on_accounts_that_stay_away_and_nothing_is_written(self):
        away = {"method": "PUT", "path": "/Invoices", "kind": "503", "times": 3}
        self.control("POST", "/fail", away)
        self.assertEqual(self.shop.order("A-4", "Ann", 100)[0], 503)
        self.assertEqual(self.control("GET", "/ledger/journals"), [])

    def test_an_order_under_a_number_that_is_taken_is_refused_and_the_test_says_why(self):
        self.shop.order("A-5", "Ann", 100)
        self.control("POST", "/clock", {"advance": {"minutes": 20}})
        self.assertEqual(self.shop.order("A-5", "Ann", 120)[0], 400)
        refused = self.control("GET", "/requests?path=/Invoices")[-1]
        self.assertRegex(refused["why"][0]["message"], "unique")

    def test_what_is_not_paid_is_overdue_three_weeks_later(self):
        self.shop.order("A-6", "Ann", 100)
        self.assertEqual(self.shop.overdue("2026-03-01"), [])
        now = self.control("POST", "/clock", {"advance": {"days": 21}})["now"]
        self.assertEqual(self.shop_as({}).overdue(now[:10]), ["A-6"])

    def test_a_person_who_may_only_read_writes_no_order(self):
        reading = self.shop_as({"role": "read-only"})
        self.assertEqual(reading.order("A-7", "Ann", 100)[0], 403)


if __name__ == "__main__":
    unittest.main()
