use tiledesc::prelude::*;

descriptor! {
    pub type CopiesTileStages:
        naive [4, 64] strides [0, 1];
}
layout! {
    #[may_overlap]
    pub type CopiesTile = Layout<F16, CopiesTileStages>;
}
