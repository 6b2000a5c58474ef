/**
 * How the change logs are written: what the changesets say, and nothing else. Commits are in the history, and packages that
 * only follow the others' version need no line.
 */
const getReleaseLine = async ({ summary }) => {
  const text = summary.trim()
  // Several points stand as they are; one text becomes a point.
  return text.startsWith("- ") ? text : `- ${text.replaceAll("\n", "\n  ")}`
}

const getDependencyReleaseLine = async () => ""

export default { getReleaseLine, getDependencyReleaseLine }
