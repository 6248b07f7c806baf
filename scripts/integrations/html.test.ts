import { expect, test } from 'vitest'
import { withOwnHashes } from './html.ts'

const OF_ONE = "'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='"
const OF_TWO = "'sha256-iMrPAWirDC2X0OhZzLsM2MRIWSmepJGI4r7D8ZlwBOw='"
const OF_STYLE = "'sha256-QRQPRLGyxt3RJiKpYNjpkgHcmHU2PywsfL2e8oI0LQA='"

/** A page whose content security policy has these hashes. */
const page = (scripts: string, styles: string, code: string) =>
  `<meta http-equiv="content-security-policy" content="img-src 'self'; script-src 'self'${scripts}; style-src 'self'${styles};">${code}`

test('a page’s policy lets through the inline code that it has, and no other', () => {
  const all = [` ${OF_ONE} ${OF_TWO}`, ` ${OF_STYLE}`] as const
  for (const [code, scripts, styles] of [
    ['<script src="/a.js"></script><script>one()</script>', ` ${OF_ONE}`, ''],
    ['<script type="module">two()</script><style>p{margin:0}</style>', ` ${OF_TWO}`, ` ${OF_STYLE}`],
    ['<p>one()</p>', '', ''],
  ] as const)
    expect(withOwnHashes(page(...all, code))).toBe(page(scripts, styles, code))
})
