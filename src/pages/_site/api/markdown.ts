import { site } from '../../../site.ts'
import { formatCurl } from './examples.ts'
import { HOW_TO_CALL } from './howToCall.ts'
import type { Area, Call } from './reference.ts'
import { describeLimits, formatType } from './typeText.ts'
import { describeCallers, parseRefusals } from './words.ts'

/** A text as a Markdown file. */
export function createMarkdownResponse(text: string): Response {
  return new Response(text, { headers: { 'Content-Type': 'text/markdown; charset=utf-8' } })
}

/** How to call the API, and its areas with the addresses of their files. */
export function formatIndex(areas: readonly Area[]): string {
  return joinBlocks([
    `# ${site.brand}: API`,
    `Programs can read it as [openapi.json](${site.origin}/api/v1/openapi.json) (OpenAPI 3.1).`,
    ...HOW_TO_CALL,
    `[Keys for programs, with examples](${site.origin}/docs/keys.md)`,
    '## Calls',
    areas
      .map(({ name, slug, calls }) => `- [${name}](${site.origin}/docs/${slug}.md): ${calls.length}`)
      .join('\n'),
  ])
}

/** Every call of an area. */
export function formatArea({ name, calls }: Area): string {
  return joinBlocks([
    `# API: ${name}`,
    `[How to call the API](${site.origin}/docs.md)`,
    ...calls.map(formatCall),
  ])
}

function formatCall(call: Call): string {
  const { method, path, summary, parameters = [], requestBody, responses } = call
  const answers = Object.entries(responses).filter(([status]) => status < '300')
  return joinBlocks([
    `## ${method} ${path}`,
    `${summary}.`,
    `Who may call it: ${describeCallers(call['x-scope'])}.`,
    parameters
      .map(({ name, in: place, required, description, schema }) => {
        const words = [required ? '' : 'optional', describeLimits(schema), description ?? ''].filter(Boolean)
        return [`- \`${name}: ${formatType(schema)}\` in the ${place}`, ...words].join(', ')
      })
      .join('\n'),
    ...Object.entries(requestBody?.content ?? {}).map(([media, { schema }]) =>
      formatBlock(`Body (${media}):`, formatType(schema)),
    ),
    ...answers.flatMap(([status, { description, content = {} }]) =>
      Object.entries(content).map(([media, { schema }]) =>
        formatBlock(
          `Answer ${status}, ${description}:`,
          media === 'application/json' ? formatType(schema) : media,
        ),
      ),
    ),
    formatBlock('Example:', formatCurl(call, site.origin)),
    parseRefusals(responses)
      .map(({ status, code, words }) => `- ${status} \`${code}\`: ${words}`)
      .join('\n'),
  ])
}

function formatBlock(title: string, text: string): string {
  return `${title}\n\n\`\`\`\n${text}\n\`\`\``
}

function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}
