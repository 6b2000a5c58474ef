/** Style sheets: the bundler takes those of what is loaded first out of the script, and embeds the others as texts. */
declare module "*.css" {
  const text: string
  export default text
}
