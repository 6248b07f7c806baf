import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { CONDITIONS } from '../../simulator/conditions.ts'
import { environment, root } from '../toolchain.mjs'
import { foundBy } from './defects.mjs'

/**
 * Changes each condition of simulator/conditions.ts in turn and runs the tests that it names, one file after the other. If all pass, the
 * simulator plays its seeds. Prints what noticed the change. Returns whether everything was noticed.
 *
 * @param {readonly string[]} patterns parts of names or files; all conditions without any
 */
export async function mutateConditions(patterns) {
  const chosen = CONDITIONS.filter(
    ({ name, file }) => patterns.length === 0 || patterns.some((each) => `${file} ${name}`.includes(each)),
  )
  const changed = chosen.filter(({ equivalent }) => equivalent === undefined)
  Object.assign(process.env, environment, { CHANGED_CONDITION: '', WRANGLER_LOG: 'warn' })
  const vitest = await createVitest('test', { root, watch: false, reporters: [{}] })
  let noticedCount = 0
  try {
    const unchanged = await failedTest(vitest, [...new Set(changed.flatMap(({ tests }) => tests))])
    if (unchanged !== null) throw new Error(`This test fails without any change: ${unchanged}`)
    for (const { name, file, tests } of changed) {
      process.env.CHANGED_CONDITION = name
      vitest.invalidateFile(join(root, file))
      const noticed = (await failedTest(vitest, tests)) ?? foundBy(name)
      vitest.invalidateFile(join(root, file))
      if (noticed !== null) noticedCount++
      console.log(`${noticed === null ? 'NOT NOTICED' : 'noticed    '}  ${name} (${file}): ${noticed ?? ''}`)
    }
  } finally {
    await vitest.close()
  }
  for (const { name, file, equivalent } of chosen)
    if (equivalent !== undefined) console.log(`equivalent   ${name} (${file}): ${equivalent}`)
  console.log(`${noticedCount} of ${changed.length} noticed, ${chosen.length - changed.length} equivalent`)
  return noticedCount === changed.length
}

/**
 * The first test that fails; null if all pass.
 *
 * @param {import('vitest/node').Vitest} vitest
 * @param {readonly string[]} files
 */
async function failedTest(vitest, files) {
  for (const file of files) {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      await vitest.globTestSpecifications([file]),
    )
    // The result also has the modules of earlier runs.
    for (const module of testModules) {
      if (module.moduleId !== join(root, file)) continue
      for (const test of module.children.allTests('failed')) return test.fullName
      const [error] = [...module.errors(), ...unhandledErrors]
      if (error !== undefined) throw error
    }
  }
  return null
}
