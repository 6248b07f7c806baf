import { expect, test } from 'vitest'
import { STORIES } from './stories.ts'
import { tell } from './story.ts'

const INTRODUCTION = `# Try it as money would move

Each command plays one story with the platform's own code, on simulated chains or at a simulated exchange, and prints what the
investors, the operators and the books see at each step. A side that sees the same as before is not printed again. A story takes seconds and keeps nothing. Prices are samples.

These are the outputs. \`npx vitest run --project nodes test/stories -u\` updates this page.
`

test('docs/stories.md has what each story prints', async () => {
  const page = [INTRODUCTION]
  for (const [name, play] of Object.entries(STORIES)) {
    const steps: string[] = []
    await tell(play(), (step) => steps.push(step))
    page.push(`## npm run try -- ${name}\n\n\`\`\`text\n${steps.join('\n').trimEnd()}\n\`\`\`\n`)
  }
  await expect(page.join('\n')).toMatchFileSnapshot('../../docs/stories.md')
})
