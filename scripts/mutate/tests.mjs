import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { environment, root } from '../toolchain.mjs'

/**
 * Starts the tests that shall notice changes. Throws if one of them fails without any change.
 *
 * @param {readonly { readonly tests?: readonly string[] }[]} changes
 */
export async function openTests(changes) {
  Object.assign(process.env, environment, { PLANTED_CHANGE: '', WRANGLER_LOG: 'warn' })
  const vitest = await createVitest('test', { root, watch: false, reporters: [{}] })
  const close = () => vitest.close()
  const unchanged = await failedTest(vitest, [...new Set(changes.flatMap(({ tests = [] }) => tests))])
  if (unchanged === null) return { close, noticing }
  await close()
  throw new Error(`This test fails without any change: ${unchanged}`)

  /**
   * The first test that fails with this change; null if all pass.
   *
   * @param {{ readonly name: string, readonly file: string, readonly tests?: readonly string[] }} change
   */
  async function noticing({ name, file, tests = [] }) {
    process.env.PLANTED_CHANGE = name
    vitest.invalidateFile(join(root, file))
    const failed = await failedTest(vitest, tests)
    vitest.invalidateFile(join(root, file))
    return failed
  }
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
