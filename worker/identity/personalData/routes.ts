import { downloadData } from '../../../src/contract/personalData.ts'
import { type Route, route } from '../../lib/route.ts'
import { downloadData as download } from './download.ts'

export const personalDataRoutes: readonly Route[] = [route(downloadData, download)]
