import { patchUserInfo } from '../../../src/contract/identity/profile.ts'
import { getUserInfo } from '../../../src/contract/identity/userInfo.ts'
import { type Route, route } from '../../http/route.ts'
import { changeUserInfo } from './changeUserInfo.ts'
import { userInfo } from './userInfo.ts'

export const profileRoutes: readonly Route[] = [
  route(getUserInfo, userInfo),
  route(patchUserInfo, changeUserInfo),
]
