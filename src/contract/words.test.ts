import { expect, it } from 'vitest'
import { findForeignAddress, type OwnAddresses } from './words.ts'

const OWN: OwnAddresses = {
  origin: 'https://evenkeel.example',
  emails: ['support@evenkeel.example'],
  number: '+41 79 123 45 67',
}

it.each([
  'Please pay to evil.example',
  'Please pay to EVIL.Example/now?x=1',
  'See https://evil.example.',
  'See http://1.2.3.4/x',
  'At 10.20.30.40',
  'See (www.evil.example)',
  'Write to help@evil.example',
  'Write to @evenkeel_support',
  'See t.me/evenkeel',
  'See evil。example',
  'See evil．example',
  'See evil․example',
  'See bücher.example',
  'See почта.рф',
  'See evil [.] com',
  'See evil(dot)com',
  'See evil . com',
  'See evil. com',
  'See evil dot com',
  'Write to help [at] evil',
  'See evenkeel.example.evil.example',
  'See https://evenkeel.example@evil.example',
  'See https://evenkeel.example.evil.example/',
  'Write to support@evenkeel.example.evil.example',
  'mailto:x@y',
  'tel:+15550100',
  'Call +1 555 010 0199',
  'Call 0800-555-0199',
  'Call (080) 0555.0199',
  'Call 1/800/555/01/99',
  'Call ٠٨٠٠٥٥٥٠١٩٩',
  'Call ０８００５５５０１９９',
  'Call 0800-SUPPORT',
  'Call $1,800,555,0199',
  'Call +41 79 123 45 68',
  'Call +41 79 123 45 678',
  'Pay to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'Pay to 0x52908400098527886E0F7030069857D2E4169EE7',
  'Pay to CH93 0076 2011 6238 5295 7',
  'Pay to account 12345678',
])('an address or number that is not ours is found: %s', (text) => {
  expect(findForeignAddress(text, OWN)).not.toBeNull()
})

it.each([
  'The payment has not arrived.',
  'We found no payment of $12,500.00 on 2026-11-28, or 28/11/2026 at 14:30:05.',
  'We received 0.28571429 BTC for DEP-7K3M9Q2X, i.e. less than $1,234,567.89 (e.g. 12,500.00 USD).',
  'Your name is written José Ångström-O’Brien, Ph.D., not محمد علي.',
  'Please write to support@evenkeel.example, or Support@Evenkeel.example.',
  'Open https://evenkeel.example/dashboard/kyc?x=1 (or evenkeel.example/contact-us).',
  'Our number is +41 79 123 45 67, 2 days a week.',
  'Our number is +41791234567.',
  'The picture is blurred...please send another one',
  'It takes 3 to 5 days. Call us 24/7, at any time. We are sorry!',
])('our own addresses, amounts, days and plain sentences pass: %s', (text) => {
  expect(findForeignAddress(text, OWN)).toBeNull()
})

it('the defaults of the reasons pass', async () => {
  const { SETTINGS } = await import('./console/settingList.ts')
  for (const [key, { default: value }] of Object.entries(SETTINGS))
    if (key.startsWith('reasons.'))
      for (const reason of value as readonly string[])
        expect(findForeignAddress(reason, OWN), reason).toBeNull()
})

it('a text of 16 KB without any blank takes no longer than its length', () => {
  for (const piece of ['a', '1', '.', 'a.', '-', '(', 'é ', '. ', '1a'])
    for (const times of [20_000, 40_000]) {
      const from = performance.now()
      findForeignAddress(`${piece.repeat(times)} a`, OWN)
      findForeignAddress(`${piece.repeat(times)}a`, OWN)
      expect(performance.now() - from).toBeLessThan(500)
    }
})
