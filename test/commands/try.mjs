// `npm run try -- deposit`: plays a story on simulated chains or at a simulated exchange, and prints what the investor, the operators and the books see at each step
// (docs/stories.md). It takes seconds. Nothing is kept.
import { runCommand } from '../../scripts/toolchain.mjs'
import { loadWorkerModules } from '../simulator/lane/load.ts'

loadWorkerModules()
await runCommand(async () => {
  const { STORIES } = await import('../stories/stories.ts')
  const { tell } = await import('../stories/story.ts')
  const [name = ''] = process.argv.slice(2)
  const story = Object.hasOwn(STORIES, name) ? STORIES[/** @type {keyof typeof STORIES} */ (name)] : undefined
  if (story === undefined)
    throw new Error(`Say which story: npm run try -- ${Object.keys(STORIES).join(' | ')}`)
  await tell(story(), (text) => console.log(text))
})
