import { CONDITIONS } from '../../simulator/conditions.ts'
import { foundBy } from './simulator.mjs'
import { openTests } from './tests.mjs'

/**
 * Changes each condition of test/simulator/conditions.ts in turn and runs the tests that it names, one file after the other. If all pass, the
 * simulator plays its seeds. Prints what noticed the change. Returns whether everything was noticed.
 *
 * @param {readonly string[]} patterns parts of names or files; all conditions without any
 */
export async function mutateConditions(patterns) {
  const chosen = CONDITIONS.filter(
    ({ name, file }) => patterns.length === 0 || patterns.some((each) => `${file} ${name}`.includes(each)),
  )
  const changed = chosen.filter(({ equivalent }) => equivalent === undefined)
  const tests = await openTests(changed)
  let noticedCount = 0
  try {
    for (const condition of changed) {
      const { name, file } = condition
      const noticed = (await tests.noticing(condition)) ?? (await foundBy(name))
      if (noticed !== null) noticedCount++
      console.log(`${noticed === null ? 'NOT NOTICED' : 'noticed    '}  ${name} (${file}): ${noticed ?? ''}`)
    }
  } finally {
    await tests.close()
  }
  for (const { name, file, equivalent } of chosen)
    if (equivalent !== undefined) console.log(`equivalent   ${name} (${file}): ${equivalent}`)
  console.log(`${noticedCount} of ${changed.length} noticed, ${chosen.length - changed.length} equivalent`)
  return noticedCount === changed.length
}
