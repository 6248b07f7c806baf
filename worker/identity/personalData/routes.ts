import { downloadData } from '../../../src/contract/identity/personalData.ts'
import { type Route, route } from '../../http/route.ts'
import { downloadData as download } from './download.ts'

export const personalDataRoutes: readonly Route[] = [route(downloadData, download)]
