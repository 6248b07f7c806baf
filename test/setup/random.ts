import fc from 'fast-check'
import { randomRuns } from '../random.ts'

// The default for properties without their own number of runs.
fc.configureGlobal(randomRuns(100))
