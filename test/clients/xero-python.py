"""What an app does with xero-python, as its readme shows it; prints what came of it as JSON."""

import json
import os
import subprocess
import sys
import time
from datetime import date
from urllib.parse import parse_qs, urlencode, urlsplit

import urllib3
from xero_python.accounting import AccountingApi, Contact, Invoice, Invoices, LineItem
from xero_python.api_client import ApiClient, Configuration
from xero_python.api_client.oauth2 import OAuth2Token
from xero_python.exceptions import HTTPStatusException
from xero_python.identity import IdentityApi

client_id, client_secret = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
redirect_uri = os.environ["REDIRECT_URI"]
scope = "openid profile email offline_access accounting.transactions accounting.contacts accounting.settings"
kept = {}

# The readme leaves signing in to another library; what that sends is this.
asked = {"response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri}
page = "https://login.xero.com/identity/connect/authorize?" + urlencode(
    {**asked, "scope": scope, "state": "s"}
)
back = subprocess.run(
    [os.environ["NODE"], os.environ["BROWSE"], page], capture_output=True, text=True, check=True
).stdout
code = parse_qs(urlsplit(back).query)["code"][0]
answer = urllib3.PoolManager(ca_certs=os.environ["SSL_CERT_FILE"]).request(
    "POST",
    "https://identity.xero.com/connect/token",
    fields={"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri},
    encode_multipart=False,
    headers=urllib3.make_headers(basic_auth=f"{client_id}:{client_secret}"),
)
token = json.loads(answer.data)
kept["token"] = {**token, "scope": token["scope"].split(" ")}

configuration = Configuration(
    oauth2_token=OAuth2Token(client_id=client_id, client_secret=client_secret)
)
configuration.ssl_ca_cert = os.environ["SSL_CERT_FILE"]
client = ApiClient(configuration)
client.oauth2_token_getter(lambda: kept["token"])
client.oauth2_token_saver(lambda token: kept.update(token=token))

first = kept["token"]["access_token"]
client.set_oauth2_token(kept["token"])
client.refresh_oauth2_token()
[connection] = IdentityApi(client).get_connections()
tenant = connection.tenant_id
api = AccountingApi(client)
pages = [
    [each.invoice_number for each in api.get_invoices(tenant, page=number, page_size=3).invoices]
    for number in (1, 2)
]
line = LineItem(description="Work", quantity=2, unit_amount=50, account_code="200")
sent = Invoice(
    type="ACCREC",
    contact=Contact(name="Somebody New"),
    line_items=[line],
    date=date(2026, 3, 1),
    due_date=date(2026, 3, 20),
    status="AUTHORISED",
)
[made] = api.create_invoices(tenant, Invoices(invoices=[sent])).invoices
change = Invoices(invoices=[Invoice(reference="PO-7")])
[updated] = api.update_invoice(tenant, made.invoice_id, change).invoices
pdf = api.get_invoice_as_pdf(tenant, made.invoice_id)


def refusal(work):
    try:
        work()
        return None
    except HTTPStatusException as error:
        return error


refused = refusal(lambda: api.get_invoices(tenant, where='Date=="2026-03-01"'))
# The library waits as Retry-After says, and asks again.
waited = 0
while waited < 5:
    began = time.monotonic()
    again = api.get_organisations(tenant)
    waited = time.monotonic() - began
with open(pdf, "rb") as file:
    head = file.read(5).decode("latin1")
found = {
    "renewed": kept["token"]["access_token"] != first,
    "tenant": [connection.tenant_name, again.organisations[0].name],
    "pages": pages,
    "made": {
        "total": float(made.total),
        "contact": made.contact.name,
        "reference": updated.reference,
    },
    "pdf": head,
    "refused": [refused.status, json.loads(refused.body)["Message"]],
    "limited": ["waited", str(round(waited))],
    "outlived": len(again.organisations),
}
json.dump(found, sys.stdout)
