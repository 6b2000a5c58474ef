/**
 * The parts that are loaded when one of them is first opened, in one file: together they compress well, and share what they have in common.
 * Musters and the board are files of their own, since they open alone and at once.
 */
import { applyStyle } from "./shared/useStyle.ts"
import devices from "./styles/devices.css"
import drawing from "./styles/drawing.css"

export { default as Administrators } from "./accounts/Administrators.tsx"
export { default as Areas } from "./areas/Areas.tsx"
export { AllOut, Capacity, Counted } from "./organizations/panels.tsx"
export { default as Changes } from "./audit/Changes.tsx"
export { default as Devices } from "./devices/Devices.tsx"
export { default as Inside } from "./musters/Inside.tsx"
export { default as Operators } from "./operators/Operators.tsx"
export { default as OrganizationList } from "./organizations/OrganizationList.tsx"
export { default as People } from "./stays/People.tsx"
export { default as Replacing } from "./signIn/Replacing.tsx"
export { default as Settings } from "./Settings.tsx"
export { default as Unbound } from "./accounts/Unbound.tsx"

for (const style of [devices, drawing]) applyStyle(style)
