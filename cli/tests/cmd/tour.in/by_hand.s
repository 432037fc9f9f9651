// A read of rows of ROW bytes, written as people write assembly.
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.type rows,@function
.set v_row, 1
.set v_data, 2
.macro read_row count, from=0
  ds_read_b128 v[v_data:v_data+3], v[v_row] offset:\from * 16
  .if \count > 1
    read_row \count-1, \from+1
  .endif
.endm
rows:
  v_and_b32 v[v_row], 15, v0            /* 16 rows */
  v_mul_u32_u24 v[v_row], ROW, v[v_row]
  read_row 2
  s_endpgm
