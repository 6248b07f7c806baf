import fc from 'fast-check'
import { inject } from 'vitest'
import { randomRuns } from '../random.ts'

// The default for properties without their own number of runs. A mutant needs no shortest case.
fc.configureGlobal({ ...randomRuns(100), endOnFailure: inject('isMutating') })
