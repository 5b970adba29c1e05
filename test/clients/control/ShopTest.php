<?php
/** The tests of the shop in PHP, whose server is asked by its control requests alone. */

use PHPUnit\Framework\TestCase;

/** Sends a request. Returns its status and its answer. */
function ask(string $method, string $url, ?array $body = null, array $headers = []): array
{
    $headers[] = 'content-type: application/json';
    $headers[] = 'accept: application/json';
    $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true];
    if ($body !== null) {
        $http['content'] = json_encode((object) $body);
    }
    $answer = file_get_contents($url, false, stream_context_create(['http' => $http]));
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($answer, true)];
}

/** The app: writes orders as invoices and takings as payments. */
class Shop
{
    private array $headers;

    public function __construct(private string $url, string $tenant, string $token)
    {
        $this->headers = ["authorization: Bearer $token", "xero-tenant-id: $tenant"];
    }

    private function send(string $path, array $body, string $key): array
    {
        $headers = [...$this->headers, "idempotency-key: $key"];
        for ($tries = 1; ; $tries++) {
            $answered = ask('PUT', $this->url . $path, $body, $headers);
            if ($answered[0] < 500 || $tries === 3) {
                return $answered;
            }
        }
    }

    public function order(string $number, string $buyer, float $amount): array
    {
        $line = ['Description' => 'Goods', 'Quantity' => 1, 'UnitAmount' => $amount, 'AccountCode' => '200'];
        return $this->send('/Invoices', [
            'Type' => 'ACCREC',
            'Status' => 'AUTHORISED',
            'InvoiceNumber' => $number,
            'Contact' => ['Name' => $buyer],
            'Date' => '2026-03-01',
            'DueDate' => '2026-03-20',
            'LineItems' => [$line],
        ], $number);
    }

    public function paid(string $invoice, float $amount): array
    {
        $payment = ['Invoice' => ['InvoiceID' => $invoice], 'Account' => ['Code' => '091']];
        $body = [...$payment, 'Date' => '2026-03-01', 'Amount' => $amount];
        return $this->send('/Payments', $body, "paid $invoice");
    }

    public function overdue(string $day): array
    {
        $days = str_replace('-', ',', $day);
        $where = urlencode("AmountDue>0 AND DueDate<DateTime($days)");
        [, $answer] = ask('GET', "$this->url/Invoices?where=$where", null, $this->headers);
        return array_column($answer['Invoices'], 'InvoiceNumber');
    }
}

class ShopTest extends TestCase
{
    private static $process;
    private static array $acct;
    private static array $pipes = [];
    private Shop $shop;

    public static function setUpBeforeClass(): void
    {
        $words = ['acct', 'serve', '--ephemeral', '--ready', 'json', '--seed', 'shop.yaml'];
        $words = [...$words, '--clock', '2026-03-01T09:00+13:00', '--ids', '7'];
        self::$process = proc_open($words, [['pipe', 'r'], ['pipe', 'w']], self::$pipes);
        self::$acct = json_decode(fgets(self::$pipes[1]), true);
    }

    public static function tearDownAfterClass(): void
    {
        array_map('fclose', self::$pipes);
        proc_close(self::$process);
    }

    private function control(string $method, string $path, ?array $body = null): array
    {
        $key = ['x-acct-test: ' . self::$acct['controlKey']];
        [$status, $answer] = ask($method, self::$acct['control'] . $path, $body, $key);
        $this->assertSame(200, $status, json_encode($answer));
        return $answer;
    }

    protected function setUp(): void
    {
        $this->control('POST', '/restore', []);
        $this->shop = $this->shopAs([]);
    }

    protected function tearDown(): void
    {
        $this->assertSame([], $this->control('GET', '/ledger/verify'));
    }

    private function shopAs(array $person): Shop
    {
        $token = $this->control('POST', '/tokens', $person)['token'];
        return new Shop(self::$acct['url'], self::$acct['tenant'], $token);
    }

    private function balance(string $code): string
    {
        return $this->control('GET', '/ledger/balances')[$code];
    }

    public function testAnOrderIsAnInvoiceThatTheCustomerOwes(): void
    {
        $this->shop->order('A-1', 'Ann', 100);
        $this->assertSame('115.00', $this->balance('610'));
    }

    public function testTakingsPayTheInvoiceAndGoIntoTheTill(): void
    {
        [, $answer] = $this->shop->order('A-2', 'Ann', 100);
        $this->shop->paid($answer['Invoices'][0]['InvoiceID'], 115);
        $this->assertSame(['0.00', '115.00'], [$this->balance('610'), $this->balance('091')]);
    }

    public function testAnOrderWhoseAnswerWasLostIsWrittenOnce(): void
    {
        $lost = ['method' => 'PUT', 'path' => '/Invoices', 'kind' => '500-after'];
        $fault = $this->control('POST', '/fail', $lost)['id'];
        $this->assertSame(200, $this->shop->order('A-3', 'Ann', 100)[0]);
        $this->assertSame(1, $this->control('GET', "/fail/$fault")['hits']);
        $this->assertCount(1, $this->control('GET', '/ledger/journals'));
    }

    public function testTheShopGivesUpOnAccountsThatStayAwayAndNothingIsWritten(): void
    {
        $away = ['method' => 'PUT', 'path' => '/Invoices', 'kind' => '503', 'times' => 3];
        $this->control('POST', '/fail', $away);
        $this->assertSame(503, $this->shop->order('A-4', 'Ann', 100)[0]);
        $this->assertSame([], $this->control('GET', '/ledger/journals'));
    }

    public function testAnOrderUnderANumberThatIsTakenIsRefusedAndTheTestSaysWhy(): void
    {
        $this->shop->order('A-5', 'Ann', 100);
        $this->control('POST', '/clock', ['advance' => ['minutes' => 20]]);
        $this->assertSame(400, $this->shop->order('A-5', 'Ann', 120)[0]);
        $requests = $this->control('GET', '/requests?path=/Invoices');
        $this->assertStringContainsString('unique', end($requests)['why'][0]['message']);
    }

    public function testWhatIsNotPaidIsOverdueThreeWeeksLater(): void
    {
        $this->shop->order('A-6', 'Ann', 100);
        $this->assertSame([], $this->shop->overdue('2026-03-01'));
        $now = $this->control('POST', '/clock', ['advance' => ['days' => 21]])['now'];
        $this->assertSame(['A-6'], $this->shopAs([])->overdue(substr($now, 0, 10)));
    }

    public function testAPersonWhoMayOnlyReadWritesNoOrder(): void
    {
        $this->assertSame(403, $this->shopAs(['role' => 'read-only'])->order('A-7', 'Ann', 100)[0]);
    }
}
