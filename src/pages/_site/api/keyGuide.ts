/** A program that reads with a key. */
interface KeyExample {
  readonly title: string
  /** What to do beside copying it. */
  readonly steps: string
  readonly code: string
}

/** How to get and use a key, in paragraphs with code between backticks. */
export const KEY_FACTS = [
  'Create a key on your profile, under Security, with your password and your second factor if you have one. It is shown once. We keep only its hash.',
  'Send it as `Authorization: Bearer key_…`. Each key may make 120 calls a minute. After status 429, wait as long as `Retry-After` says.',
  'Status 401 means that the key is wrong, has expired or was revoked. Status 403 means that it does not work from this network.',
  'Bank accounts, addresses, your e-mail address, your phone number and your documents are never in an answer to a key.',
  'A key ends with its last day, a year at most. A lock of the account and every change of password, second factor or e-mail address revoke all keys and guest links. So do "End All Others" under Sessions, and closing the account. An ordinary sign-out does not.',
] as const

/** Examples that read the API at this origin. A test makes each of their requests. */
export function listKeyExamples(origin: string): readonly KeyExample[] {
  const api = `${origin}/api/v1`
  return [
    {
      title: 'curl',
      steps:
        'Store the key in the variable `KEY` of your shell, so that it is not in the history of your commands.',
      code: `curl -H "Authorization: Bearer $KEY" '${api}/users/balances'
curl -H "Authorization: Bearer $KEY" '${api}/allocations'
curl -H "Authorization: Bearer $KEY" '${api}/transaction-history?limit=100'
curl -H "Authorization: Bearer $KEY" '${api}/users/value-history?days=365'
curl -H "Authorization: Bearer $KEY" -o statement.csv \\
  '${api}/statements?from=2026-01-01&to=2026-12-31&format=csv'`,
    },
    {
      title: 'Python',
      steps: 'It needs no other package. Store the key in the environment variable `KEY`.',
      code: `import json, os, urllib.request

def read(path):
    request = urllib.request.Request(
        "${api}" + path,
        headers={"Authorization": "Bearer " + os.environ["KEY"]},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

print(read("/users/balances")["totalBalance"])
for position in read("/allocations"):
    print(position["name"], position["units"], position["value"])
for day in read("/users/value-history?days=30"):
    print(day["day"], day["balance"])`,
    },
    {
      title: 'Google Sheets',
      steps:
        '`IMPORTDATA` cannot send a key, so use a script. Open Extensions, Apps Script, and paste it. Store the key under Project Settings, Script properties, as `KEY`. Run the function once, then add a time-driven trigger, for example each hour.',
      code: `function updateBalances() {
  const key = PropertiesService.getScriptProperties().getProperty('KEY')
  const answer = UrlFetchApp.fetch('${api}/users/balances', {
    headers: { Authorization: 'Bearer ' + key },
  })
  const balances = JSON.parse(answer.getContentText())
  SpreadsheetApp.getActive()
    .getSheets()[0]
    .getRange('A1:C1')
    .setValues([[balances.at, balances.totalBalance, balances.available]])
}`,
    },
    {
      title: 'Excel',
      steps:
        'Data, Get Data, Blank Query, then Advanced Editor. When Excel asks how to connect, choose Anonymous: the header has the key. Everybody who gets the workbook has the key too.',
      code: `let
  Answer = Web.Contents(
    "${api}/allocations",
    [Headers = [Authorization = "Bearer YOUR_KEY"]]
  ),
  Positions = Table.FromRecords(Json.Document(Answer))
in
  Positions`,
    },
  ]
}
