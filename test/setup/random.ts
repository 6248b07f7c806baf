import fc from 'fast-check'
import { randomRuns } from '../random.ts'

// For properties that do not say how often they are tried.
fc.configureGlobal(randomRuns(100))
