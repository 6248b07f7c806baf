import { newPicture } from '../support/picture.ts'
import { saveAddress } from './support/addressBook.ts'
import { callApi, origin, send } from './support/http.ts'
import {
  expectNoInjection,
  expectShownAsText,
  type OpenedRow,
  scriptsRunOn,
  watchForInjection,
} from './support/injection.ts'
import { codeIn, waitForMail } from './support/mailbox.ts'
import { MARKUP, SCRIPT_TEXTS } from './support/payloads.ts'
import {
  createSession,
  type Investor,
  investorId,
  newAddress,
  newInvestor,
  operatorSession,
  PASSWORD,
  type Session,
} from './support/people.ts'
import { expect, test } from './support/test.ts'

const FIELD_LENGTH = 140
const NAME_LENGTH = 120

/** All texts, joined into as few strings as possible of at most `length` characters. */
function joinedTexts(length: number): string[] {
  const packs: string[] = []
  for (const text of SCRIPT_TEXTS) {
    const last = packs.at(-1)
    if (last !== undefined && last.length + text.length < length) packs[packs.length - 1] = `${last} ${text}`
    else packs.push(text)
  }
  return packs
}

test('text from an investor never runs as a script on the operators’ money screens or their own', async ({
  open,
}) => {
  const [name = ''] = joinedTexts(NAME_LENGTH)
  const investor = await newInvestor({ name, available: 3000 })
  const { token } = investor.session
  await callApi('PATCH', '/users/user-info', {
    token,
    json: {
      gender: SCRIPT_TEXTS[1],
      maritalStatus: SCRIPT_TEXTS[9],
      address: SCRIPT_TEXTS[14],
    },
  })
  const withdrawals: [id: string, texts: string[]][] = []
  for (const pack of joinedTexts(FIELD_LENGTH - 'investmentNumber '.length)) {
    const fields = Object.fromEntries(
      BANK_FIELDS.map((field) => [field, `${field} ${BANK_NUMBERS.has(field) ? latinOf(pack) : pack}`]),
    )
    withdrawals.push([await withdraw(investor, fields), Object.values(fields)])
  }
  const [wallet] = await callApi<{ address: string; type: string }[]>('GET', '/admin-wallets', { token })
  // The only free text of a deposit is its file name.
  const deposits: [id: string, texts: string[]][] = []
  for (const text of joinedTexts(200)) {
    const form = {
      type: wallet?.type ?? '',
      amount: '10',
      paymentTo: wallet?.address ?? '',
      image: pictureNamed(text),
    }
    deposits.push([(await callApi<{ _id: string }>('POST', '/deposits', { token, form }))._id, []])
  }
  const labels = SCRIPT_TEXTS.filter(({ length }) => length <= 60).slice(0, BITCOIN_ADDRESSES.length)
  for (const [i, address] of BITCOIN_ADDRESSES.entries()) {
    const json = { label: labels[i], type: 'bitcoin', network: 'btc', address }
    await saveAddress({ email: investor.email, token }, json)
  }

  const operator = await watchForInjection(await open(operatorSession('first')))
  await expectShownAsText(operator, '/operator/withdrawals', [name], withdrawals)
  await expectShownAsText(operator, '/operator/deposits', [name], deposits)
  await expectShownAsText(operator, '/operator', [], [])
  const own = await watchForInjection(await open({ ...investor.session, name }))
  await expectShownAsText(own, '/dashboard/transaction-history', [], [])
  for (const nth of [0, deposits.length + 1]) {
    await own.locator('tbody').getByRole('button').nth(nth).click()
    await expect(own.getByRole('dialog').getByRole('term').first()).toBeVisible()
    if (nth > 0) await expect(own.getByRole('dialog')).toContainText('alert(1)')
    await expectNoInjection(own, 'a transaction’s details')
    await own.keyboard.press('Escape')
  }
  await expectShownAsText(own, '/dashboard/withdrawal', [], [])
  await own.getByRole('radio', { name: 'Bitcoin' }).check()
  for (const label of labels)
    await expect(own.getByRole('combobox', { name: 'Saved address' })).toContainText(label)
  await own.getByRole('button', { name: 'Manage saved addresses' }).click()
  for (const label of labels) await expect(own.getByRole('dialog')).toContainText(label)
  await expectNoInjection(own, 'the address book')
  for (const path of [
    '/dashboard/overview',
    '/dashboard/deposit',
    '/dashboard/kyc',
    '/dashboard/profile',
    '/dashboard/profile#security',
    '/dashboard/profile#notifications',
  ])
    await expectShownAsText(own, path, [], [])
})

test('text from a visitor or a new investor never runs as a script on the operators’ screens', async ({
  open,
}) => {
  const packs = joinedTexts(NAME_LENGTH)
  const mark = newAddress().replace(/@.*/, '')
  await Promise.all(
    packs.map((pack, i) => newInvestor({ name: pack, email: `${mark}.${i}@example.com`, kyc: 'none' })),
  )
  for (const pack of packs) {
    await callApi('POST', '/contact-us', {
      json: { name: pack, email: `'+${mark}@example.com`, message: SCRIPT_TEXTS.join('\n') },
    })
  }
  const newcomer = await newInvestor({ name: packs[2] ?? '', kyc: 'none' })
  await callApi('POST', '/kyc', {
    token: newcomer.session.token,
    form: { document: 'Passport', image: pictureNamed(SCRIPT_TEXTS[10] ?? '') },
  })
  const session = await signInAs(newcomer, packs.join(' ').slice(0, 300))
  const messages = await callApi<{ _id: string; email: string }[]>('GET', '/operator/messages', {
    token: operatorSession('second').token,
  })
  const submissions = await callApi<{ _id: string; investor: { email: string } }[]>(
    'GET',
    '/operator/kyc?status=pending&order=newest',
    { token: operatorSession('second').token },
  )
  const investors = await callApi<{ _id: string }[]>('GET', `/operator/investors?query=${mark}`, {
    token: operatorSession('second').token,
  })
  expect(investors).toHaveLength(packs.length)

  const operator = await watchForInjection(await open(operatorSession('second')))
  await expectShownAsText(
    operator,
    '/operator/messages?order=newest',
    packs,
    messages
      .filter(({ email }) => email.includes(mark))
      .slice(0, 2)
      .map(({ _id }) => [_id, SCRIPT_TEXTS] as OpenedRow),
  )
  await expectShownAsText(
    operator,
    `/operator/investors?query=${mark}`,
    packs,
    investors.slice(0, 3).map(({ _id }) => [_id, []] as OpenedRow),
  )
  await expectShownAsText(
    operator,
    '/operator/kyc?order=newest',
    [packs[2] ?? ''],
    submissions
      .filter(({ investor }) => investor.email === newcomer.email)
      .map(({ _id }) => [_id, []] as OpenedRow),
  )
  await expectShownAsText(operator, '/operator/proposals', [], [])
  const own = await watchForInjection(await open(session))
  for (const path of [
    '/dashboard/overview',
    '/dashboard/profile',
    '/dashboard/profile#security',
    '/dashboard/kyc',
  ])
    await expectShownAsText(own, path, [], [])
})

test('no notification runs a script, even on a page without a content security policy', async ({
  browser,
}) => {
  expect(new Set(MARKUP).size).toBeGreaterThanOrEqual(100)
  const investor = await newInvestor({ kyc: 'none' })
  const id = await investorId(investor.email)
  const stored: string[] = []
  for (const markup of MARKUP) {
    const answer = await send('POST', `/operator/investors/${id}/notification`, {
      token: operatorSession('first').token,
      json: {
        title: withoutSites(markup).slice(0, 200),
        // Links to other sites are refused, so they are replaced with links to our own.
        content: `Hello ${withoutSites(markup)}`,
        persistent: false,
      },
    })
    // Text that looks like another site's address is refused as a whole.
    if (answer.status === 422) continue
    expect(answer.status).toBe(201)
    const { notification } = await callApi<{ notification: { content: string } }>(
      'GET',
      '/users/user-info?fields=notification',
      { token: investor.session.token },
    )
    expect(notification.content.startsWith('Hello')).toBe(true)
    stored.push(notification.content)
  }
  expect(stored.length).toBeGreaterThanOrEqual(60)
  const context = await browser.newContext()
  const page = await watchForInjection(await context.newPage(), context)
  await context.route('**', (route) => route.abort())
  // Proves that the page would run a script, so that the check below means something.
  await page.evaluate(insertUnsafely, ['<img src=x onerror=alert(1)>'])
  await expect.poll(() => scriptsRunOn(page)).toBeGreaterThan(0)
  await page.goto('about:blank')
  expect(await page.evaluate(insertUnsafely, stored)).toEqual([])
  await page.waitForTimeout(500)
  expect(await scriptsRunOn(page)).toBe(0)
  await context.close()
})

function withoutSites(markup: string): string {
  return markup.replaceAll(/https:\/\/(?:example\.com|x)(?=[^.\w]|$)/g, origin)
}

/** Valid addresses: examples of BIP 173 and of the Bitcoin documentation. */
const BITCOIN_ADDRESSES = [
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
]

const BANK_FIELDS = [
  'surname',
  'firstName',
  'occupation',
  'clientNumber',
  'investmentNumber',
  'productName',
  'bankName',
  'accountNumber',
  'branchName',
  'accountHolderName',
  'branchCode',
  'withdrawalReason',
]

/** They take Latin letters and digits only. */
const BANK_NUMBERS = new Set(['clientNumber', 'investmentNumber', 'accountNumber', 'branchCode'])

function latinOf(text: string): string {
  return text.replaceAll(/[^\x20-\x7E]/g, '')
}

/** Files a bank withdrawal with the mailed code if one is needed, and returns its id. */
async function withdraw({ email, session }: Investor, fields: Record<string, string>): Promise<string> {
  const { token } = session
  const json = { amount: '5', title: 'Ms', accountType: 'savings', ...fields }
  const known = (await callApi<unknown[]>('GET', `/dev/mailbox?to=${encodeURIComponent(email)}`)).length
  const first = await fetch(`${origin}/api/v1/withdrawals/online-service`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  })
  const answer = (await first.json()) as { _id: string; code?: string }
  if (first.ok) return answer._id
  expect(answer).toMatchObject({ code: 'step_up_required' })
  await expect
    .poll(
      async () => (await callApi<unknown[]>('GET', `/dev/mailbox?to=${encodeURIComponent(email)}`)).length,
    )
    .toBeGreaterThan(known)
  const code = codeIn(await waitForMail(email, /confirm/i))
  return (
    await callApi<{ _id: string }>('POST', '/withdrawals/online-service', { token, json: { ...json, code } })
  )._id
}

/** A picture with this file name. */
function pictureNamed(name: string): File {
  return new File([newPicture()], `${name}.png`, { type: 'image/png' })
}

async function signInAs({ email }: Investor, userAgent: string): Promise<Session> {
  const response = await fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return response.ok ? ((await response.json()) as Session) : createSession({ email, password: PASSWORD })
}

/**
 * Runs in the page. Inserts each text in every careless way, fires events on all elements, and returns the tags and attributes that a
 * notification must not have.
 */
function insertUnsafely(texts: string[]): string[] {
  const TAGS = /^(?:P|BR|B|STRONG|I|EM|U|UL|OL|LI|A|H3|H4|BLOCKQUOTE|CODE)$/
  const forbidden: string[] = []
  const inspect = (place: Element, text: string) => {
    for (const element of place.querySelectorAll('*')) {
      const { tagName, attributes } = element
      if (!TAGS.test(tagName)) forbidden.push(`<${tagName}> of ${text}`)
      for (const { name, value } of attributes) {
        const isAllowed =
          tagName === 'A' && (name === 'href' ? /^(?:https?:\/\/|mailto:)/.test(value) : name === 'rel')
        if (!isAllowed) forbidden.push(`${name}="${value}" of ${text}`)
      }
      for (const type of ['mouseover', 'mouseenter', 'focus', 'pointerenter', 'toggle'])
        element.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
  for (const text of texts) {
    const place = document.body.appendChild(document.createElement('div'))
    place.innerHTML = text
    inspect(place, text)
    // Serialised and parsed again, markup may change.
    place.innerHTML = `${place.innerHTML}`
    inspect(place, text)
    for (const around of ['svg', 'math', 'select', 'table', 'template', 'noscript']) {
      const inner = document.body.appendChild(document.createElement('div'))
      inner.innerHTML = `<${around}>${text}</${around}>`
    }
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.srcdoc = `<!DOCTYPE html><body>${text}</body>`
  }
  return forbidden
}
