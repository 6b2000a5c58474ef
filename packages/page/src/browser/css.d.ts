/** Style sheets, which the bundler takes out of the script. */
declare module "*.css"
