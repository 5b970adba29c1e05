#!/usr/bin/env bash
# Makes a book in yen with foreign documents, by the command line of a version that kept parts of a yen.
#   ACCT="node /checkout/bin/acct.js" make-yen.sh book.acct|postgres://… BALANCE.csv
set -eu
where=$1 balance=$2
case $where in postgres:*) at=(--database "$where") ;; *) at=(--book "$where") ;; esac
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder XDG_CACHE_HOME=$folder XDG_STATE_HOME=$folder
cd "$folder"
step() { $ACCT --no-input --yes "$@" "${at[@]}" >out 2>&1 || { cat out; echo "failed: $*"; exit 1; }; }
api() { printf '%s' "$3" >body.json; step api "$1" "$2" --input body.json; }

step init --name Tsuru --country NZ --currency JPY
step currency add USD
step currency rate USD 0.0071 --date 2026-01-01
step contact create --name Kai
step contact create --name Clay
step account create --name Bank --type BANK --code 090 --bank-account-number 1
step account create --name Dollars --type BANK --code 095 --bank-account-number 2 --currency-code USD
step account create --name Reserve --type BANK --code 096 --bank-account-number 3 --currency-code USD
lines=(--line description=Tea,quantity=1,unit-amount=10.01,account=200 --line description=Cup,quantity=1,unit-amount=3.33,account=200)
for number in U-1 U-2 U-3 U-4; do
  step invoice create --contact Kai --date 2026-03-02 --due-date 2026-03-20 --currency-code USD --currency-rate 0.0067 --invoice-number $number "${lines[@]}" --status AUTHORISED
done
step bill create --contact Clay --date 2026-03-02 --due-date 2026-03-20 --currency-code USD --currency-rate 0.0069 --invoice-number B-1 "${lines[@]}" --status AUTHORISED
# Paid in part into yen and dollars, paid whole, void, and open.
step payment apply U-1 --account 090 --amount 5 --currency-rate 0.0071 --date 2026-03-03
step payment apply U-1 --account 095 --amount 2.5 --currency-rate 0.0072 --date 2026-03-04
step payment apply U-2 --account 095 --currency-rate 0.0073 --date 2026-03-04
step payment apply B-1 --account 095 --amount 3.33 --currency-rate 0.0071 --date 2026-03-05
step invoice void U-3
# Money between two accounts in dollars, and from dollars to yen.
api PUT /BankTransfers '{"FromBankAccount":{"Code":"095"},"ToBankAccount":{"Code":"096"},"Amount":7.77,"Date":"2026-03-06","CurrencyRate":0.0071}'
api PUT /BankTransfers '{"FromBankAccount":{"Code":"096"},"ToBankAccount":{"Code":"090"},"Amount":1.11,"Date":"2026-03-07","CurrencyRate":0.0071}'
# Goods whose cost is no whole number of yen for each.
api PUT /Items '{"Items":[{"Code":"LAMP","Name":"Lamp","InventoryAssetAccountCode":"630","SalesDetails":{"UnitPrice":145,"AccountCode":"200"},"PurchaseDetails":{"UnitPrice":62,"COGSAccountCode":"310"}}]}'
step bill create --contact Clay --date 2026-03-02 --due-date 2026-03-20 --invoice-number B-2 --line item=LAMP,quantity=3,unit-amount=100,account=630 --line item=LAMP,quantity=4,unit-amount=77,account=630 --status AUTHORISED
step invoice create --contact Kai --date 2026-03-08 --due-date 2026-03-20 --invoice-number G-1 --line item=LAMP,quantity=2,unit-amount=145,account=200 --status AUTHORISED
step payment apply G-1 --account 090 --amount 101 --date 2026-03-09
step book verify
$ACCT report trial-balance --date 2026-03-31 -o csv "${at[@]}" >"$balance"
