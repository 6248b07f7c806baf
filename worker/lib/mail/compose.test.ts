import { expect, it } from 'vitest'
import { composeMail, quotePerson } from './compose.ts'

const greetingOf = (name: string | null) => composeMail('a@example.org', 'x', name, []).text.split(',')[0]

it.each(['Ana Torres', 'O’Brien-Ünal', 'محمد علي', 'می‌خواهم', 'नरेन्द्र', '김철수', 'Dr. Ana 🙂'])(
  'a mail greets by a plain name: %s',
  (name) => {
    expect(greetingOf(name)).toBe(`Hello ${name}`)
  },
)

it.each([
  null,
  'URGENT wallet hacked, call +1 555 010 0199',
  'URGENT: your wallet was hacked!',
  'evil.example',
  'Ana@evil.example',
  'please write to us at once to keep your money',
  'Ana 5550199',
  'Ana\u202e',
  'x'.repeat(61),
  ' ',
])('a mail does not greet by anything else: %j', (name) => {
  expect(greetingOf(name)).toBe('Hello there')
})

it('what a person wrote is quoted in a mail, on one line, short, and without addresses and numbers', () => {
  expect(quotePerson('First\n “Harbour”  Bank')).toBe("“First 'Harbour' Bank”")
  expect(quotePerson('x'.repeat(140))).toBe(`“${'x'.repeat(59)}…”`)
  for (const text of ['see evil.example', 'call +1 555 010 0199', 'write to a@b', 'https://evil.example'])
    expect(quotePerson(text)).toBe('“…”')
})

it('names and quotations are isolated', () => {
  const { html, text } = composeMail('a@example.org', 'x', 'محمد', [`Held by ${quotePerson('علي <b>')} 12`])
  expect(html).toContain('<p>Hello <bdi>محمد</bdi>,</p>')
  expect(html).toContain('Held by “<bdi>علي &lt;b&gt;</bdi>” 12')
  expect(text).toContain('Held by “\u2068علي <b>\u2069” 12')
})
