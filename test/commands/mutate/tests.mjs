import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { environment, root } from '../../../scripts/toolchain.mjs'

/** Starts vitest, which stays warm from one mutant to the next. */
export async function openTests() {
  Object.assign(process.env, environment, { MUTANT: '', WRANGLER_LOG: 'warn' })
  const vitest = await createVitest('test', { root, watch: false, bail: 1, reporters: [{}] })
  /** Files that pass without any change. @type {Set<string>} */
  const sound = new Set()
  return { close: () => vitest.close(), findNoticingTest }

  /**
   * Runs files of tests, one after the other, with a changed source file. No file is written. Returns the first test that fails; null
   * if all pass. Throws if that file fails without the change, too.
   *
   * @param {{ readonly file: string, readonly text: string }} mutant
   * @param {readonly string[]} tests
   */
  async function findNoticingTest({ file, text }, tests) {
    const path = join(root, file)
    for (const test of tests) {
      process.env.MUTANT = JSON.stringify({ path, text })
      vitest.invalidateFile(path)
      const failed = await findFailedTest(test)
      process.env.MUTANT = ''
      vitest.invalidateFile(path)
      if (failed === null) continue
      const broken = sound.has(test) ? null : await findFailedTest(test)
      if (broken !== null) throw new Error(`This test fails without any change: ${test}: ${broken}`)
      sound.add(test)
      return failed
    }
    return null
  }

  /** The first test of a file that fails, or the file if it cannot be loaded; null if all pass. @param {string} file */
  async function findFailedTest(file) {
    const specifications = await vitest.globTestSpecifications([file])
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    // The result also has the modules of earlier runs.
    const module = testModules.find(({ moduleId }) => moduleId === join(root, file))
    for (const test of module?.children.allTests('failed') ?? []) return test.fullName
    return module === undefined || module.errors().length > 0 || unhandledErrors.length > 0 ? file : null
  }
}
