import { site } from '../site.ts'

const link = (name: string, path: string, about: string) => `- [${name}](${site.origin}${path}): ${about}`

/** The first file for programs that read the site: https://llmstxt.org */
const lines = [
  `# ${site.brand}`,
  '',
  `> ${site.description}`,
  '',
  '## API',
  '',
  link('How to call the API', '/docs.md', 'every area has a Markdown file of its own'),
  link(
    'Keys for programs',
    '/docs/keys.md',
    'read an account from a program or a spreadsheet, with examples',
  ),
  link('OpenAPI document', '/api/v1/openapi.json', 'every call with its fields, answers and refusals'),
  '',
  '## Pages',
  '',
  link('Strategies', '/strategies', 'the rules, their tests and their live record'),
  link('Claims', '/claims', 'what we claim, and the code and test behind each claim'),
  link('What we owe', '/liabilities', 'the published sums, and how to check your own balance'),
  link('Fees', '/fees', 'what we charge'),
  link('Risks', '/risk-disclosure', 'what can go wrong'),
]

export const GET = () =>
  new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
