// The islands of every signed-in screen in one file, because each file is a request.
export { Toaster } from '../../design/Toaster.tsx'
export { AccountMenu } from './AccountMenu.tsx'
export { LogoutButton } from './LogoutButton.tsx'
